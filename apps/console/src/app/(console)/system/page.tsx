import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { SystemPage } from "./system-page.tsx";

export const metadata: Metadata = { title: "Telemetry" };

export default async function SystemRoute() {
  await requirePrincipal();
  return <SystemPage />;
}
