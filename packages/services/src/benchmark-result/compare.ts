import { createHash } from "node:crypto";
import type {
  BenchmarkComparison,
  BenchmarkComparisonQuestion,
  BenchmarkEstimate,
  BenchmarkSide,
  BenchmarkVerdict,
} from "@stashlight/contracts/benchmark/result";
import { formatComparison } from "@stashlight/contracts/benchmark/words";
import { StashlightError } from "@stashlight/contracts/errors";
import { DAY_MS } from "@stashlight/contracts/time/duration";
import { benchmarkComparisonColumns } from "@stashlight/db/columns/benchmark-result";
import { type Comparison, type Interval, meanVarianceOf, type RunMoments } from "@stashlight/stats";
import { requireRole, type Verb } from "../context.ts";
import type { Core } from "../core.ts";
import { present } from "../present.ts";
import { countBackToBack, slotsByHand } from "./back-to-back.ts";
import type { WithCalculator } from "./calculator.ts";
import { readCaveats } from "./caveats.ts";
import { commonSlots, pairedRuns, type SidesOfSlots, splitContaminated } from "./contamination.ts";
import { endpointNameOf, findPlanOfResults } from "./find.ts";
import { columnNames, type EndpointFigures, type RunColumns, readFigures } from "./run-columns.ts";

const keptMs = 7 * DAY_MS;
/** Raised when the same runs give other figures than in an earlier release, whose answers are not read any more. */
const ANSWER_EDITION = 2;

/** Two endpoints of a plan over a period, in pairs of slots. The same question about the same figures is computed once. */
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
  const figures = await readFigures(platform, question, [question.endpointAId, question.endpointBId]);
  const [a, b] = await Promise.all([
    sideOf(platform.db, figures, question.endpointAId),
    sideOf(platform.db, figures, question.endpointBId),
  ]);
  requireCommonSlot(a, b);
  const caveats = await readCaveats(platform, question, { a, b });
  return { ...(await answerTo(platform, question, plan.name, { a, b })), caveats };
}

/** What was computed of the same figures is read again. */
async function answerTo(
  platform: WithCalculator,
  question: BenchmarkComparisonQuestion,
  planName: string,
  { a, b }: SidesOfSlots,
): Promise<BenchmarkComparison> {
  const byHandMs = await slotsByHand(platform.db, question);
  const key = keyOf(question, planName, [a, b], byHandMs);
  const { db, now } = platform;
  const known = await db.benchmarkComparisonAnswer.findUnique({ where: { key } });
  if (known !== null) return benchmarkComparisonColumns.answer.read(known.answer, key);
  const seed = Number.parseInt(key.slice(0, 8), 16);
  const asked = { question, planName, seed, byHandMs, computedAt: now() };
  const answer = await judgeSides(platform, asked, { a, b });
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

interface Asked {
  question: BenchmarkComparisonQuestion;
  planName: string;
  seed: number;
  byHandMs: readonly number[];
  computedAt: Date;
}

/** Contaminated slots are left out where enough others remain, and then the verdict with them is computed too. */
async function judgeSides(
  platform: WithCalculator,
  asked: Asked,
  all: SidesOfSlots,
): Promise<BenchmarkComparison> {
  const { clean, contamination } = splitContaminated(all);
  if (contamination === null || !contamination.isExcluded) {
    return { ...(await answerOf(platform, asked, all)), contamination };
  }
  const answer = await answerOf(platform, asked, clean);
  const withAll = await answerOf(platform, asked, all);
  const otherwise = isSameVerdict(answer.verdict, withAll.verdict) ? null : withAll.sentence;
  return { ...answer, contamination: { ...contamination, otherwise } };
}

function isSameVerdict(one: BenchmarkVerdict, other: BenchmarkVerdict): boolean {
  if (one.kind === "faster") return other.kind === "faster" && one.which === other.which;
  return one.kind === other.kind;
}

async function answerOf(
  { calculator }: WithCalculator,
  asked: Asked,
  sides: SidesOfSlots,
): Promise<BenchmarkComparison> {
  const paired = pairedRuns(sides);
  const { comparison } = await calculator.compute<"compare">({
    kind: "compare",
    a: momentsOf(paired.a.runs),
    b: momentsOf(paired.b.runs),
    seed: asked.seed,
    minimumEffect: asked.question.minimumEffect,
  });
  return toAnswer({ asked, ...sides, comparison });
}

async function sideOf(
  db: Core["db"],
  figures: readonly EndpointFigures[],
  endpointId: string,
): Promise<EndpointFigures> {
  const side = figures.find(({ endpoint }) => endpoint.id === endpointId);
  const hasMean = side?.runs.meanMs.some((mean) => !Number.isNaN(mean)) ?? false;
  if (side !== undefined && hasMean) return side;
  const name = await endpointNameOf(db, endpointId);
  throw new StashlightError(
    "precondition_failed",
    `"${name}" has no run with a success in this time; choose a longer one or another endpoint.`,
  );
}

function requireCommonSlot(a: EndpointFigures, b: EndpointFigures): void {
  if (commonSlots({ a, b }).length > 0) return;
  throw new StashlightError(
    "precondition_failed",
    `"${a.endpoint.name}" and "${b.endpoint.name}" share no slot in this time in which both succeeded; only runs of the same slot are compared.`,
  );
}

function keyOf(
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

/** Three figures a run are all that a comparison takes: samples of years need not be read. */
function momentsOf(runs: RunColumns): RunMoments {
  return {
    slotsMs: runs.slotMs,
    means: runs.meanMs,
    meanVariances: Float64Array.from(runs.slotMs, (_, i) => {
      const sd = present(runs.sdMs[i]);
      return meanVarianceOf(present(runs.n[i]) - present(runs.failureCount[i]), Number.isNaN(sd) ? null : sd);
    }),
    medians: runs.medianMs,
  };
}

interface Computed extends SidesOfSlots {
  asked: Asked;
  comparison: Comparison;
}

function toAnswer({ asked, a, b, comparison }: Computed): BenchmarkComparison {
  const pair = present(comparison.pairs[0]);
  const figures = {
    question: asked.question,
    planName: asked.planName,
    a: toSide(a, present(comparison.legs[0])),
    b: toSide(b, present(comparison.legs[1])),
    pairCount: pair.pairCount,
    unpairedCount: unpairedCountOf({ a, b }),
    ratio: estimate(pair.ratio.value, pair.ratio.interval),
    differenceMs: estimate(pair.difference.value, pair.difference.interval),
    shiftMs: estimate(pair.shift.shift, pair.shift.interval),
    pValue: pair.test.pValue,
    faster: { which: pair.faster.which, words: pair.faster.words },
    verdict: pair.verdict,
    seed: comparison.seed,
    drawCount: comparison.drawCount,
    contamination: null,
    caveats: [],
    backToBackCount: countBackToBack(commonSlots({ a, b }), asked.byHandMs),
    computedAt: asked.computedAt,
  };
  return { ...figures, sentence: formatComparison(figures) };
}

function unpairedCountOf({ a, b }: SidesOfSlots): number {
  return new Set([...a.runs.slotMs, ...b.runs.slotMs]).size - commonSlots({ a, b }).length;
}

/** The mean is of the slots that are compared; the counts are of all runs, because one that failed has no figure to compare. */
function toSide({ endpoint, runs }: EndpointFigures, mean: Comparison["legs"][number]): BenchmarkSide {
  const sum = (column: Float64Array): number => column.reduce((total, value) => total + value, 0);
  return {
    endpoint,
    runCount: runs.slotMs.length,
    sampleCount: sum(runs.n),
    failureCount: sum(runs.failureCount),
    taggedCount: sum(runs.taggedCount),
    meanMs: estimate(mean.value, mean.interval),
  };
}

const estimate = (value: number, interval: Interval | null): BenchmarkEstimate => ({
  value,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
});
