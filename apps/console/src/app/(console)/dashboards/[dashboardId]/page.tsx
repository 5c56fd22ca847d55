import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { DashboardPage } from "./dashboard-page.tsx";

export const metadata: Metadata = { title: "Dashboard" };

export default async function DashboardRoute({ params }: { params: Promise<{ dashboardId: string }> }) {
  await requirePrincipal();
  return <DashboardPage dashboardId={(await params).dashboardId} />;
}
