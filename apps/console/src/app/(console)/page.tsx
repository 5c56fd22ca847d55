import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentStartDashboardId, requirePrincipal } from "../../server/principal.ts";
import { Overview } from "./overview/overview.tsx";

export const metadata: Metadata = { title: "Overview" };

/** The reader's start page: a dashboard, or the Overview. */
export default async function StartPage() {
  const { role } = await requirePrincipal();
  const startDashboardId = await currentStartDashboardId();
  if (startDashboardId !== null) redirect(`/dashboards/${startDashboardId}`);
  return <Overview role={role} />;
}
