import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Overview } from "./overview.tsx";

export const metadata: Metadata = { title: "Overview" };

/** The Overview, for readers who start with a dashboard. */
export default async function OverviewRoute() {
  const { role } = await requirePrincipal();
  return <Overview role={role} />;
}
