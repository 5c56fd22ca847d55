import {
  type BenchmarkSweep,
  type BenchmarkSweepCell,
  type BenchmarkSweepPlace,
  type BenchmarkSweepQuestion,
  type BenchmarkSweepSeries,
  formatFastest,
  isGateOpen,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { benchmarkOperations } from "@stashlight/contracts/sample";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import type { ContestPair, ContestResult } from "@stashlight/stats";
import { workerVantageName } from "../../benchmark/stored-plan.ts";
import { requireRole, type Verb } from "../../context.ts";
import type { Core } from "../../core.ts";
import { present } from "../../present.ts";
import type { WithCalculator } from "../calculator.ts";
import { type PairJudge, runMoments } from "../compare.ts";
import { readFailedRuns, withFailedRuns } from "../failed-runs.ts";
import { readAllFigures } from "../run-columns.ts";
import {
  type Cell,
  type PairOfCell,
  pairsOfCell,
  sweepCells,
  sweepEntry,
  sweepSeries,
} from "./sweep-cells.ts";

/** A plan's figures before any verdict. */
export interface Place {
  readonly planId: string;
  readonly planName: string;
  readonly vantageName: string;
  readonly series: BenchmarkSweepSeries[];
  readonly cells: readonly Cell[];
}

/**
 * Compares every endpoint of one or more plans at every operation and size. Endpoints are compared only within a plan,
 * because they were measured from one place in the same slots. The p-values of all plans together are corrected by
 * Holm's method.
 */
export async function getSweep({
  ctx,
  input,
}: Verb<BenchmarkSweepQuestion, WithCalculator>): Promise<BenchmarkSweep> {
  requireRole(ctx, "viewer");
  return readSweep(ctx.platform, input);
}

export async function readSweep(
  platform: WithCalculator,
  question: BenchmarkSweepQuestion,
): Promise<BenchmarkSweep> {
  const places = await Promise.all(question.planIds.map((planId) => readPlace(platform, planId, question)));
  return judgeSweep(platform, question, places);
}

/** Uses the same gate and comparison as a verdict on two endpoints. */
export async function judgeSweep(
  { calculator }: PairJudge,
  question: BenchmarkSweepQuestion,
  places: readonly Place[],
): Promise<BenchmarkSweep> {
  const pairs = places.map(({ cells, series }) => cells.map((cell) => pairsOfCell(cell, series)));
  const { contests } = await calculator.compute<"fastest">({
    kind: "fastest",
    cells: pairs.flat().map((ofCell) => ofCell.map(toContestPair)),
    minimumEffect: question.minimumEffect,
  });
  let judged = 0;
  return {
    question,
    comparisonCount: contests.comparisonCount,
    places: places.map((place, at) => {
      const from = judged;
      judged += place.cells.length;
      return toPlace(place, present(pairs[at]), contests.cells.slice(from, judged));
    }),
  };
}

const toContestPair = ({ slots, compared, ofSeries: [a, b] }: PairOfCell): ContestPair => ({
  a,
  b,
  runs:
    slots.undisturbedCount > 0 ? { a: runMoments(compared.a.runs), b: runMoments(compared.b.runs) } : null,
  isTested: isGateOpen(slots),
});

async function readPlace(
  platform: Core,
  planId: string,
  { fromMs, toMs }: Pick<BenchmarkSweepQuestion, "fromMs" | "toMs">,
): Promise<Place> {
  const plan = await platform.db.benchmarkPlan.findUnique({
    where: { id: planId },
    select: {
      name: true,
      vantageNode: { select: { name: true } },
      endpoints: {
        orderBy: { position: "asc" },
        select: { endpoint: { select: { id: true, name: true, kind: true, region: true, label: true } } },
      },
    },
  });
  if (plan === null) throw new StashlightError("not_found", "There is no such benchmark schedule.");
  const failed = await readFailedRuns(platform, { planId, fromMs, toMs });
  const measured = await readAllFigures(platform, { planId, fromMs, toMs });
  const figures = measured.map((side) => withFailedRuns(side, failed));
  const endpoints = plan.endpoints.map(({ endpoint: { id, name, region, ...endpoint } }) => ({
    id,
    name,
    region,
    kind: endpointColumns.kind.read(endpoint.kind, id),
    label: endpointColumns.label.read(endpoint.label, id),
  }));
  const series = sweepSeries(endpoints, figures);
  const cells = sweepCells(figures, series, benchmarkOperations);
  return {
    planId,
    planName: plan.name,
    vantageName: plan.vantageNode?.name ?? workerVantageName,
    series,
    cells,
  };
}

function toPlace(
  { cells, ...place }: Place,
  pairs: readonly PairOfCell[][],
  contests: ContestResult["cells"],
): BenchmarkSweepPlace {
  const judged = cells.map((cell, at): BenchmarkSweepCell => {
    const { operation, sizeBytes, connectionCount } = cell;
    const contest = present(contests[at]);
    const entries = place.series.flatMap((_, series) => sweepEntry(cell, series) ?? []);
    const slots = fewestSlots(present(pairs[at]));
    return { operation, sizeBytes, connectionCount, entries, slots, ...contest };
  });
  return { ...place, cells: judged, sentences: formatFastest({ cells: judged, series: place.series }) };
}

function fewestSlots(pairs: readonly PairOfCell[]): BenchmarkSweepCell["slots"] {
  const [fewest] = pairs.toSorted(
    (one, other) =>
      one.slots.undisturbedCount - other.slots.undisturbedCount ||
      one.slots.measuredCount - other.slots.measuredCount,
  );
  return fewest === undefined ? null : { ...fewest.slots, ofSeries: fewest.ofSeries };
}
