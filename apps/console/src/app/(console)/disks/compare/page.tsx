import type { Metadata } from "next";
import { requirePrincipal } from "../../../../server/principal.ts";
import { ComparePage } from "./compare-page.tsx";

export const metadata: Metadata = { title: "Compare drives" };

export default async function CompareRoute() {
  await requirePrincipal();
  return <ComparePage />;
}
