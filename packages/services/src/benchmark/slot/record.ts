/** What a run's row says, step by step. Every step holds only while the slot's lease is the caller's (`renewLease`). */
import type { RunManifest, RunProgress } from "@stashlight/benchmark";
import type { BenchmarkReport, BenchmarkRunState } from "@stashlight/contracts/benchmark/plan";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import type { Transaction } from "@stashlight/db";
import { benchmarkRunColumns } from "@stashlight/db/columns/benchmark";
import { storeGroups } from "../groups.ts";
import { packSamples, unpackSamples } from "../pack.ts";

export async function noteProgress(
  tx: Transaction,
  runId: string,
  { share, text, leftMs }: RunProgress,
  now: Date,
): Promise<void> {
  const estimate = leftMs === null ? {} : { estimatedEndAt: new Date(now.getTime() + leftMs) };
  await tx.benchmarkRun.update({
    where: { id: runId },
    data: { progress: share, progressText: text, ...estimate },
  });
}

export async function noteManifest(
  tx: Transaction,
  runId: string,
  manifest: RunManifest | Record<string, unknown>,
): Promise<void> {
  await tx.benchmarkRun.update({
    where: { id: runId },
    data: { manifest: benchmarkRunColumns.manifest.write({ ...manifest }) },
  });
}

/** A part that is there already is not added again. */
export async function addPart(
  tx: Transaction,
  runId: string,
  part: number,
  samples: readonly BenchmarkSample[],
): Promise<void> {
  const { count } = await tx.benchmarkSamplePart.createMany({
    data: [{ runId, part, sampleCount: samples.length, packed: packSamples(samples) }],
    skipDuplicates: true,
  });
  if (count === 0) return;
  await tx.benchmarkRun.update({
    where: { id: runId },
    data: {
      sampleCount: { increment: samples.length },
      failureCount: { increment: samples.filter(({ outcome }) => outcome !== "ok").length },
    },
  });
}

export interface RunResult {
  state: Extract<BenchmarkRunState, "succeeded" | "failed" | "cancelled" | "interrupted">;
  outcome: string | null;
  report?: BenchmarkReport;
  /** What it did cost; left out, it stays what was expected. */
  cost?: number | null;
}

/** Makes groups of the parts, whatever way the run ended: what was measured stays. */
export async function finishRun(
  tx: Transaction,
  runId: string,
  { state, outcome, report, cost }: RunResult,
  now: Date,
): Promise<void> {
  const parts = await tx.benchmarkSamplePart.findMany({ where: { runId }, orderBy: { part: "asc" } });
  const samples = parts.flatMap(({ packed }) => unpackSamples(packed));
  const run = await tx.benchmarkRun.update({
    where: { id: runId },
    data: {
      state,
      outcome,
      ...(report === undefined ? {} : { report: benchmarkRunColumns.report.write(report) }),
      ...(cost === undefined ? {} : { cost }),
      taggedShare: taggedShareOf(samples),
      ...(state === "succeeded" ? { progress: 1 } : {}),
      progressText: null,
      estimatedEndAt: null,
      finishedAt: now,
      cleanAfter: now,
    },
  });
  if (samples.length > 0) await storeGroups(tx, run, samples);
  await tx.benchmarkSamplePart.deleteMany({ where: { runId } });
}

function taggedShareOf(samples: readonly BenchmarkSample[]): number | null {
  if (samples.length === 0) return null;
  return samples.filter(({ isTagged }) => isTagged).length / samples.length;
}
