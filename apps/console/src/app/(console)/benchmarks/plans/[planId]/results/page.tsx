import type { Metadata } from "next";
import { requirePrincipal } from "../../../../../../server/principal.ts";
import { ResultsPage } from "../../../results/results-page.tsx";

export const metadata: Metadata = { title: "Benchmark results" };

export default async function ResultsRoute({ params }: { params: Promise<{ planId: string }> }) {
  const { planId } = await params;
  const { role } = await requirePrincipal();
  return <ResultsPage planId={planId} role={role} />;
}
