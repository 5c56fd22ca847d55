import type { Metadata } from "next";
import { SharedPlanPage } from "./shared-plan-page.tsx";

export const metadata: Metadata = { title: "Plan", robots: { index: false, follow: false } };

export default function SharedPlanRoute() {
  return <SharedPlanPage />;
}
