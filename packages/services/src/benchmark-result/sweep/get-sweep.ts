import { benchmarkOperations } from "@stashlight/contracts/benchmark/sample";
import type {
  BenchmarkSweep,
  BenchmarkSweepBasis,
  BenchmarkSweepCell,
  BenchmarkSweepPlace,
  BenchmarkSweepQuestion,
  BenchmarkSweepSeries,
} from "@stashlight/contracts/benchmark/sweep";
import { formatFastest } from "@stashlight/contracts/benchmark/sweep-words";
import { significantBelow } from "@stashlight/contracts/benchmark/words";
import { StashlightError } from "@stashlight/contracts/errors";
import { endpointColumns } from "@stashlight/db/columns/endpoint";
import { type ContestCell, type ContestResult, pairsNeeded } from "@stashlight/stats";
import { workerVantageName } from "../../benchmark/find.ts";
import { requireRole, type Verb } from "../../context.ts";
import type { Core } from "../../core.ts";
import { present } from "../../present.ts";
import type { WithCalculator } from "../calculator.ts";
import { readAllFigures } from "../run-columns.ts";
import { readSlotSamples } from "./newest-samples.ts";
import {
  type Cell,
  cellsOf,
  entryOf,
  pairedMedians,
  runKey,
  type Slots,
  seriesOf,
  slotsOf,
} from "./place.ts";

/** A plan's figures, before anything is judged. */
interface Place {
  readonly planId: string;
  readonly planName: string;
  readonly vantageName: string;
  readonly series: BenchmarkSweepSeries[];
  readonly cells: readonly Cell[];
  readonly slots: Slots;
}

/**
 * Every endpoint of one or more plans at every operation and size. Endpoints are compared within a plan only: they were
 * measured from one place in the same slots. The p-values of all plans together are corrected by Holm's method.
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
  const tests = places.flatMap(({ cells }) =>
    cells.map(({ runs }) => runs.filter((each) => each !== null).length),
  );
  const comparisonCount = tests.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  const slotCountMin = pairsNeeded(comparisonCount, significantBelow);
  const bases = places.map(({ slots }) => basisOf(slots, slotCountMin));
  const contestants = await Promise.all(
    places.map((place, at) => contestCells(platform, place, present(bases[at]))),
  );
  const { contests } = await platform.calculator.compute<"fastest">({
    kind: "fastest",
    cells: contestants.flat(),
    minimumEffect: question.minimumEffect,
    significantBelow,
  });
  let judged = 0;
  return {
    question,
    comparisonCount,
    slotCountMin,
    places: places.map((place, at) => {
      const from = judged;
      judged += place.cells.length;
      return toPlace(place, present(bases[at]), contests.cells.slice(from, judged));
    }),
  };
}

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
  if (plan === null) throw new StashlightError("not_found", "There is no such plan.");
  const figures = await readAllFigures(platform, { planId, fromMs, toMs });
  const endpoints = plan.endpoints.map(({ endpoint: { id, name, region, ...endpoint } }) => ({
    id,
    name,
    region,
    kind: endpointColumns.kind.read(endpoint.kind, id),
    label: endpointColumns.label.read(endpoint.label, id),
  }));
  const series = seriesOf(endpoints, figures);
  const cells = cellsOf(figures, series, benchmarkOperations);
  return {
    planId,
    planName: plan.name,
    vantageName: plan.vantageNode?.name ?? workerVantageName,
    series,
    cells,
    slots: slotsOf(cells, series.length),
  };
}

function basisOf({ usedMs }: Slots, slotCountMin: number): BenchmarkSweepBasis {
  if (usedMs.length === 0) return "none";
  return usedMs.length >= slotCountMin ? "slots" : "newest slot";
}

/** What each cell of a place is judged by: medians in pairs, or the samples of one slot. */
async function contestCells(
  platform: Core,
  { planId, cells, series, slots }: Place,
  basis: BenchmarkSweepBasis,
): Promise<ContestCell[]> {
  if (basis === "slots")
    return cells.map((cell) => ({ entrants: pairedMedians(cell, slots.usedMs), isPaired: true }));
  const newestMs = slots.usedMs.at(-1);
  if (newestMs === undefined) return cells.map(() => ({ entrants: [], isPaired: false }));
  const samples = await readSlotSamples(platform, planId, newestMs);
  return cells.map(({ operation, sizeBytes, connectionCount }) => {
    const ofCell = samples.filter(
      (each) =>
        each.operation === operation &&
        each.sizeBytes === sizeBytes &&
        each.connectionCount === connectionCount,
    );
    const entrants = series.map(
      ({ endpoint }) =>
        ofCell.find(({ endpointId }) => endpointId === endpoint.id)?.durationsMs ?? new Float64Array(),
    );
    return { entrants, isPaired: false };
  });
}

function toPlace(
  { cells, slots, ...place }: Place,
  basis: BenchmarkSweepBasis,
  contests: ContestResult["cells"],
): BenchmarkSweepPlace {
  const judged = cells.map((cell, at): BenchmarkSweepCell => {
    const { operation, sizeBytes, connectionCount } = cell;
    const { fastest, because, pValue } = present(contests[at]);
    const entries = place.series.flatMap((_, series) => entryOf(cell, series, slots) ?? []);
    return { operation, sizeBytes, connectionCount, entries, fastest, because, pValue };
  });
  const { commonMs, usedMs } = slots;
  const comparedMs = basis === "newest slot" ? usedMs.slice(-1) : usedMs;
  return {
    ...place,
    cells: judged,
    basis,
    slotCount: usedMs.length,
    excludedSlotCount: commonMs.length - usedMs.length,
    contaminatedRuns: contaminatedRunsOf(place.series, comparedMs, slots),
    newestSlotMs: usedMs.at(-1) ?? null,
    sentences: formatFastest({ cells: judged, series: place.series }),
  };
}

/** More of them are no more telling, and an answer has a bounded length. */
const NAMED_RUNS_MAX = 20;

function contaminatedRunsOf(
  series: readonly BenchmarkSweepSeries[],
  comparedMs: readonly number[],
  { contaminated }: Slots,
): BenchmarkSweepPlace["contaminatedRuns"] {
  return series
    .flatMap(({ endpoint }, at) =>
      comparedMs.flatMap((slotMs) => {
        const taggedShare = contaminated.get(runKey(at, slotMs));
        return taggedShare === undefined ? [] : [{ endpointName: endpoint.name, slotMs, taggedShare }];
      }),
    )
    .sort((one, other) => other.taggedShare - one.taggedShare)
    .slice(0, NAMED_RUNS_MAX);
}
