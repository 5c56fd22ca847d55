import type { Metadata } from "next";
import { ReportPage } from "./report-page.tsx";

export const metadata: Metadata = { title: "Benchmark report", robots: { index: false, follow: false } };

export default function ReportRoute() {
  return <ReportPage />;
}
