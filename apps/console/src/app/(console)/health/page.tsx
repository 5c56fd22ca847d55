import type { Metadata } from "next";
import { HealthPage } from "./health-page.tsx";

export const metadata: Metadata = { title: "System health" };

export default function HealthRoute() {
  return <HealthPage />;
}
