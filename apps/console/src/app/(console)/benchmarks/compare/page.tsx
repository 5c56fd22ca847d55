import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { CompareRunsPage } from "./compare-runs-page.tsx";

export const metadata: Metadata = { title: "Compare runs" };

export default async function CompareRunsRoute() {
  await requirePrincipal();
  return <CompareRunsPage />;
}
