import { createHash } from "node:crypto";
import type { BenchmarkChange, BenchmarkSubject } from "@stashlight/contracts";
import { requireRole, type Verb } from "../context.ts";
import type { Platform } from "../platform.ts";
import { type EndpointFigures, readFigures } from "./figures.ts";
import { findPlanOfResults } from "./find.ts";

/** Where the level of an endpoint's medians changed in the period, oldest first. */
export async function findBenchmarkChanges({
  ctx,
  input,
}: Verb<BenchmarkSubject>): Promise<BenchmarkChange[]> {
  requireRole(ctx, "viewer");
  await findPlanOfResults(ctx.platform.db, input.planId);
  return changesOf(ctx.platform, await readFigures(ctx.platform, input));
}

export async function changesOf(
  platform: Pick<Platform, "calculator">,
  figures: readonly EndpointFigures[],
): Promise<BenchmarkChange[]> {
  const known = figures.map(({ endpoint, runs }) => {
    const places = Array.from(runs.medianMs.keys()).filter((i) => !Number.isNaN(runs.medianMs[i]));
    return {
      endpoint,
      slotMs: places.map((i) => runs.slotMs[i] as number),
      medianMs: Float64Array.from(places, (i) => runs.medianMs[i] as number),
    };
  });
  const { changes } = await platform.calculator.compute<"changes">({
    kind: "changes",
    series: known.map(({ medianMs }) => medianMs),
    seed: seedOf(known.map(({ medianMs }) => medianMs)),
  });
  const found = changes.flatMap((ofSeries, i) =>
    ofSeries.map(({ index, before, after, change, pValue }) => ({
      endpointId: known[i]?.endpoint.id as string,
      endpointName: known[i]?.endpoint.name as string,
      atMs: known[i]?.slotMs[index] as number,
      beforeMs: before,
      afterMs: after,
      changeShare: change,
      pValue,
    })),
  );
  return found.sort((a, b) => a.atMs - b.atMs);
}

/** Of the figures themselves, so that the same ones always give the same answer. */
export function seedOf(columns: readonly Float64Array[]): number {
  const hash = createHash("sha256");
  for (const column of columns) hash.update(column);
  return hash.digest().readUInt32BE(0);
}
