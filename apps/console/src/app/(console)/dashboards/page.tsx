import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { DashboardsPage } from "./dashboards-page.tsx";

export const metadata: Metadata = { title: "Dashboards" };

export default async function DashboardsRoute() {
  await requirePrincipal();
  return <DashboardsPage />;
}
