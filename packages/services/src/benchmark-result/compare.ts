import { createHash } from "node:crypto";
import {
  type BenchmarkComparison,
  type BenchmarkComparisonQuestion,
  type BenchmarkEstimate,
  type BenchmarkSide,
  type BenchmarkSlots,
  formatComparison,
  gateVerdict,
  isGateOpen,
} from "@stashlight/contracts/benchmark";
import { StashlightError } from "@stashlight/contracts/errors";
import { DAY_MS } from "@stashlight/contracts/time";
import { benchmarkComparisonColumns } from "@stashlight/db/columns/benchmark-result";
import type { Comparison, Estimate, RunMoments } from "@stashlight/stats";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { present } from "../present.ts";
import { countBackToBack, slotsByHand } from "./back-to-back.ts";
import type { WithCalculator } from "./calculator.ts";
import { countEarlierRuns, readCaveats } from "./caveats.ts";
import { readFailedRuns, withFailedRuns } from "./failed-runs.ts";
import { findPlanOfResults, readEndpointName } from "./results-plan.ts";
import { columnNames, type EndpointFigures, type RunColumns, readFigures } from "./run-columns.ts";
import { assessSlots, commonSlots, type SidesOfSlots } from "./undisturbed-slots.ts";

const keptMs = 7 * DAY_MS;
/**
 * Raised when the same runs yield different figures or sentences than in an earlier release, whose cached answers are then ignored.
 */
const ANSWER_EDITION = 7;

/**
 * Compares two endpoints of a plan over a period, in pairs of slots. The same query about the same figures is computed
 * once.
 */
export async function compareBenchmark({
  ctx,
  input,
}: Verb<BenchmarkComparisonQuestion, WithCalculator>): Promise<BenchmarkComparison> {
  requireRole(ctx, "viewer");
  return compareFigures(ctx.platform, input);
}

export async function compareFigures(
  platform: WithCalculator,
  question: BenchmarkComparisonQuestion,
): Promise<BenchmarkComparison> {
  const plan = await findPlanOfResults(platform.db, question.planId);
  const endpointIds = [question.endpointAId, question.endpointBId] as const;
  const measured = await readFigures(platform, question, endpointIds);
  const failed = await readFailedRuns(platform, question);
  const figures = measured.map((side) => withFailedRuns(side, failed));
  await requireComputed(platform, question, figures);
  const [a, b] = await Promise.all([
    readSide(platform.db, figures, question.endpointAId),
    readSide(platform.db, figures, question.endpointBId),
  ]);
  requireCommonSlot(a, b);
  const caveats = await readCaveats(platform, question, { a, b }, failed);
  return { ...(await answerTo(platform, question, plan.name, { a, b })), caveats };
}

/** Reuses the cached result for the same figures. */
async function answerTo(
  platform: WithCalculator,
  question: BenchmarkComparisonQuestion,
  planName: string,
  { a, b }: SidesOfSlots,
): Promise<BenchmarkComparison> {
  const byHandMs = await slotsByHand(platform.db, question);
  const key = comparisonKey(question, planName, [a, b], byHandMs);
  const { db, now } = platform;
  const known = await db.benchmarkComparisonAnswer.findUnique({ where: { key } });
  if (known !== null) return benchmarkComparisonColumns.answer.read(known.answer, key);
  const asked = { question, planName, byHandMs, computedAt: now() };
  const answer = await judgePair(platform, asked, { a, b });
  const data = {
    key,
    answer: benchmarkComparisonColumns.answer.write(answer),
    computedAt: answer.computedAt,
  };
  await db.benchmarkComparisonAnswer.createMany({ data, skipDuplicates: true });
  await db.benchmarkComparisonAnswer.deleteMany({
    where: { computedAt: { lt: new Date(now().getTime() - keptMs) } },
  });
  return answer;
}

/** Computes on a separate thread, or immediately in a test. */
export interface PairJudge {
  readonly calculator: Pick<WithCalculator["calculator"], "compute">;
}

interface Asked {
  question: BenchmarkComparisonQuestion;
  planName: string;
  byHandMs: readonly number[];
  computedAt: Date;
}

/** Judges a pair by the statistics and the gate, so that callers cannot influence the verdict. */
export async function judgePair(
  { calculator }: PairJudge,
  asked: Asked,
  all: SidesOfSlots,
): Promise<BenchmarkComparison> {
  const { slots, compared, contamination } = assessSlots(all);
  const { comparison } = await calculator.compute<"compare">({
    kind: "compare",
    a: runMoments(compared.a.runs),
    b: runMoments(compared.b.runs),
    minimumEffect: asked.question.minimumEffect,
  });
  const answer = { ...toAnswer({ asked, all, compared, slots, comparison }), contamination };
  const gated = isGateOpen(slots) ? answer : withoutInference(answer);
  return { ...gated, sentence: formatComparison(gated) };
}

/** Removes intervals and p-values, which would look meaningful but are not if slots are disturbed or few. */
function withoutInference(answer: BenchmarkComparison): BenchmarkComparison {
  const bare = ({ value }: BenchmarkEstimate): BenchmarkEstimate => ({ value, low: null, high: null });
  const { a, b, ratio, differenceMs, shiftMs } = answer;
  return {
    ...answer,
    a: { ...a, meanMs: bare(a.meanMs) },
    b: { ...b, meanMs: bare(b.meanMs) },
    ratio: bare(ratio),
    differenceMs: bare(differenceMs),
    shiftMs: bare(shiftMs),
    pValue: null,
  };
}

async function readSide(
  db: Core["db"],
  figures: readonly EndpointFigures[],
  endpointId: string,
): Promise<EndpointFigures> {
  const side = figures.find(({ endpoint }) => endpoint.id === endpointId);
  const hasMean = side?.runs.meanMs.some((mean) => !Number.isNaN(mean)) ?? false;
  if (side !== undefined && hasMean) return side;
  const name = await readEndpointName(db, endpointId);
  throw new StashlightError(
    "precondition_failed",
    `"${name}" has no run with a success in this time; choose a longer one or another endpoint.`,
  );
}

/** Throws if nothing is left to compare because figures are being recomputed. */
async function requireComputed(
  platform: Core,
  { endpointAId, endpointBId, ...question }: BenchmarkComparisonQuestion,
  figures: readonly EndpointFigures[],
): Promise<void> {
  const [a, b] = figures;
  if (a !== undefined && b !== undefined && commonSlots({ a, b }).length > 0) return;
  const count = await countEarlierRuns(platform, question, [endpointAId, endpointBId]);
  if (count === 0) return;
  throw new StashlightError(
    "precondition_failed",
    `The figures of ${count} runs are being computed again after the upgrade, which takes minutes; compare them afterwards.`,
  );
}

function requireCommonSlot(a: EndpointFigures, b: EndpointFigures): void {
  if (commonSlots({ a, b }).length > 0) return;
  throw new StashlightError(
    "precondition_failed",
    `"${a.endpoint.name}" and "${b.endpoint.name}" share no slot in this time in which both succeeded; only runs of the same slot are compared.`,
  );
}

function comparisonKey(
  question: BenchmarkComparisonQuestion,
  planName: string,
  sides: readonly EndpointFigures[],
  byHandMs: readonly number[],
): string {
  const hash = createHash("sha256").update(
    JSON.stringify([ANSWER_EDITION, question, planName, sides.map(({ endpoint }) => endpoint), byHandMs]),
  );
  for (const { runs } of sides) {
    for (const name of columnNames) hash.update(runs[name]);
  }
  return hash.digest("hex");
}

/** A comparison needs only three figures per run, so samples of years need not be read. */
export function runMoments(runs: RunColumns): RunMoments {
  return {
    slotsMs: runs.slotMs,
    means: runs.meanMs,
    medians: runs.medianMs,
    failedShares: runs.failureCount.map((count, i) =>
      runs.hasFailed[i] === 1 ? 1 : count / Math.max(1, present(runs.n[i])),
    ),
  };
}

interface Computed {
  asked: Asked;
  all: SidesOfSlots;
  compared: SidesOfSlots;
  slots: BenchmarkSlots;
  comparison: Comparison;
}

function toAnswer({ asked, all, compared, slots, comparison }: Computed): BenchmarkComparison {
  const pair = present(comparison.pairs[0]);
  return {
    question: asked.question,
    planName: asked.planName,
    a: toSide(all.a, pair.meanA),
    b: toSide(all.b, pair.meanB),
    slots,
    pairCount: pair.pairCount,
    unpairedCount: countUnpaired(all),
    ratio: toEstimate(pair.ratio),
    differenceMs: toEstimate(pair.difference),
    shiftMs: toEstimate({ value: pair.shift.shift, interval: pair.shift.interval }),
    pValue: pair.pValue,
    success: { ...pair.success },
    rule: "paid for looks",
    faster: { which: pair.faster.which, words: pair.faster.words },
    verdict: gateVerdict(pair.verdict, slots),
    sentence: "",
    contamination: null,
    caveats: [],
    backToBackCount: countBackToBack(commonSlots(compared), asked.byHandMs),
    computedAt: asked.computedAt,
  };
}

function countUnpaired({ a, b }: SidesOfSlots): number {
  return new Set([...a.runs.slotMs, ...b.runs.slotMs]).size - commonSlots({ a, b }).length;
}

/** The mean covers the compared slots; the counts cover all runs, because a failed run has no figure to compare. */
function toSide({ endpoint, runs }: EndpointFigures, mean: Estimate): BenchmarkSide {
  const sum = (column: Float64Array): number => column.reduce((total, value) => total + value, 0);
  return {
    endpoint,
    runCount: runs.slotMs.length,
    sampleCount: sum(runs.n),
    failureCount: sum(runs.failureCount),
    taggedCount: sum(runs.taggedCount),
    meanMs: toEstimate(mean),
  };
}

const toEstimate = ({ value, interval }: Estimate): BenchmarkEstimate => ({
  value,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
});
