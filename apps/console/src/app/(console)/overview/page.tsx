import type { Metadata } from "next";
import { requirePrincipal } from "../../../server/principal.ts";
import { Overview } from "./overview.tsx";

export const metadata: Metadata = { title: "Overview" };

/** The Overview for those whose start page is another. */
export default async function OverviewRoute() {
  const { role } = await requirePrincipal();
  return <Overview role={role} />;
}
