import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { AlertsPage } from "./alerts-page.tsx";

export const metadata: Metadata = { title: "Alerts" };

export default async function AlertsRoute() {
  const { role } = await requirePrincipal();
  return <AlertsPage role={role} />;
}
