import type { Metadata } from "next";
import { requirePrincipal } from "../../../../../server/principal.ts";
import { RunPage } from "./run-page.tsx";

export const metadata: Metadata = { title: "Benchmark run" };

export default async function RunRoute({ params }: { params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  await requirePrincipal();
  return <RunPage runId={runId} />;
}
