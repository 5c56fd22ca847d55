import { createHash } from "node:crypto";
import type { BenchmarkChange, BenchmarkSubject } from "@stashlight/contracts/benchmark";
import { requireRole, type Verb } from "../context.ts";
import { present } from "../present.ts";
import type { WithCalculator } from "./calculator.ts";
import { findPlanOfResults } from "./results-plan.ts";
import { type EndpointFigures, readFigures } from "./run-columns.ts";
import { withoutContaminated } from "./undisturbed-slots.ts";

/** Finds level changes in an endpoint's medians during the period, oldest first. */
export async function findBenchmarkChanges({
  ctx,
  input,
}: Verb<BenchmarkSubject, WithCalculator>): Promise<BenchmarkChange[]> {
  requireRole(ctx, "viewer");
  await findPlanOfResults(ctx.platform.db, input.planId);
  return computeChanges(ctx.platform, await readFigures(ctx.platform, input));
}

export async function computeChanges(
  platform: Pick<WithCalculator, "calculator">,
  figures: readonly EndpointFigures[],
): Promise<BenchmarkChange[]> {
  const known = figures.map(withoutContaminated).map(({ endpoint, runs }) => {
    const places = Array.from(runs.medianMs.keys()).filter((i) => !Number.isNaN(runs.medianMs[i]));
    return {
      endpoint,
      slotMs: places.map((i) => present(runs.slotMs[i])),
      medianMs: Float64Array.from(places, (i) => present(runs.medianMs[i])),
    };
  });
  const { changes } = await platform.calculator.compute<"changes">({
    kind: "changes",
    series: known.map(({ medianMs }) => medianMs),
    seed: columnsSeed(known.map(({ medianMs }) => medianMs)),
  });
  const found = changes.flatMap((ofSeries, i) => {
    const { endpoint, slotMs } = present(known[i]);
    return ofSeries.map(({ index, before, after, change, pValue }) => ({
      endpointId: endpoint.id,
      endpointName: endpoint.name,
      atMs: present(slotMs[index]),
      beforeMs: before,
      afterMs: after,
      changeShare: change,
      pValue,
    }));
  });
  return found.sort((a, b) => a.atMs - b.atMs);
}

/** Derives the seed from the figures, so that the same figures always yield the same answer. */
function columnsSeed(columns: readonly Float64Array[]): number {
  const hash = createHash("sha256");
  for (const column of columns) hash.update(column);
  return hash.digest().readUInt32BE(0);
}
