import type { Metadata } from "next";
import { SetupPage } from "./setup-page.tsx";

export const metadata: Metadata = { title: "Set up" };

export default function Page() {
  return <SetupPage />;
}
