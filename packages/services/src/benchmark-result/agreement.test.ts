/**
 * Tests that a plan has one verdict: pages, cards, the weekly report and the HTTP API agree on the winner and the
 * slots.
 */
import {
  type BenchmarkComparison,
  type BenchmarkLatestVerdict,
  describeVerdictShortly,
  formatBasis,
  formatComparison,
  formatDecision,
  formatSlots,
  formatVerdictSource,
  isGateOpen,
} from "@stashlight/contracts/benchmark";
import { apiOperations } from "@stashlight/contracts/public-api";
import { median } from "@stashlight/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { composeLetter } from "../weekly-report/compose.ts";
import { judgePair, type PairJudge } from "./compare.ts";
import { emptyColumns, type RunColumns } from "./run-columns.ts";
import { compute } from "./statistics.ts";
import { judgeSweep } from "./sweep/get-sweep.ts";
import { type AssessedSlots, assessSlots } from "./undisturbed-slots.ts";

const HOUR_MS = 3_600_000;

interface Run {
  readonly meanMs: number;
  readonly failureCount: number;
  readonly taggedShare: number;
  readonly isDrifting: boolean;
  readonly isMissing: boolean;
  readonly hasFailed: boolean;
}

const run = (levelMs: number): fc.Arbitrary<Run> =>
  fc.record({
    // Few distinct values, so that ties occur.
    meanMs: fc.integer({ min: 0, max: 8 }).map((step) => levelMs + step),
    failureCount: fc.constantFrom(0, 0, 0, 3),
    taggedShare: fc.constantFrom(0, 0, 0, 0.05, 0.06, 0.5),
    isDrifting: fc.constantFrom(false, false, false, false, true),
    isMissing: fc.constantFrom(false, false, false, false, false, true),
    hasFailed: fc.constant(false),
  });
/** All, no or some runs are disturbed. */
const kind = fc.constantFrom("quiet", "loud", "drifting", "mixed");
const slotsOfPlan = fc
  .record({
    levelA: fc.constantFrom(100, 104, 150),
    kind,
    slotCount: fc.integer({ min: 1, max: 24 }),
    failsOfA: fc.constantFrom(0, 0, 10),
    /** Interval, in runs, at which a run of A except the first fails entirely; 0 for none. */
    isDownEvery: fc.constantFrom(0, 0, 0, 1, 2),
  })
  .chain(({ levelA, kind, slotCount, failsOfA, isDownEvery }) => {
    const shaped = (each: Run): Run => ({
      ...each,
      ...(kind === "quiet" ? { taggedShare: 0, isDrifting: false } : {}),
      ...(kind === "loud" ? { taggedShare: 0.5 } : {}),
      ...(kind === "drifting" ? { isDrifting: true } : {}),
    });
    const side = (levelMs: number) =>
      fc.array(run(levelMs).map(shaped), { minLength: slotCount, maxLength: slotCount });
    const failing = (runs: readonly Run[]): Run[] =>
      runs.map((each, slot) => ({
        ...each,
        failureCount: each.failureCount + failsOfA,
        hasFailed: isDownEvery > 0 && slot > 0 && slot % isDownEvery === 0,
      }));
    return fc.record({ a: side(levelA).map(failing), b: side(100) });
  });

/** A run that failed entirely has no samples that could be disturbed. */
const whole = { failureCount: 0, taggedShare: 0, isDrifting: false };

function makeColumns(runs: readonly Run[]): RunColumns {
  const kept = runs.flatMap((each, slot) => (each.isMissing ? [] : [{ ...each, slot }]));
  const columns = emptyColumns(kept.length);
  for (const [i, { slot, hasFailed, ...each }] of kept.entries()) {
    const { failureCount, taggedShare, isDrifting } = hasFailed ? { ...each, ...whole } : each;
    const meanMs = hasFailed ? Number.NaN : each.meanMs;
    const figures = {
      slotMs: slot * HOUR_MS,
      startedMs: slot * HOUR_MS + 5000,
      n: 100,
      failureCount,
      taggedCount: 100 * taggedShare,
      taggedShare,
      meanMs,
      sdMs: 1,
      medianMs: meanMs,
      medianLowMs: meanMs - 1,
      medianHighMs: meanMs + 1,
      isDrifting: isDrifting ? 1 : 0,
      hasFailed: hasFailed ? 1 : 0,
    };
    for (const [name, value] of Object.entries(figures)) columns[name as keyof RunColumns][i] = value;
  }
  return columns;
}

const endpoint = (name: string, place: number) => ({ id: name, name, label: "measured" as const, place });
const [fast, slow] = [endpoint("Alpha", 0), endpoint("Beta", 1)];
const subject = { operation: "PUT" as const, sizeBytes: 256_000, connectionCount: 1 };
const minimumEffect = { kind: "share", share: 0.05 } as const;
const question = {
  planId: "plan",
  ...subject,
  fromMs: 0,
  toMs: 30 * 24 * HOUR_MS,
  minimumEffect,
  endpointAId: fast.id,
  endpointBId: slow.id,
};
const judge = { calculator: { compute: async (job: never) => compute(job) } } as unknown as PairJudge;
const asked = { question, planName: "Plan", byHandMs: [], computedAt: new Date(0) };

async function runSweep(a: RunColumns, b: RunColumns) {
  const series = [fast, slow].map((each) => ({ endpoint: each, kind: null, region: null }));
  const place = { planId: "plan", planName: "Plan", vantageName: "Here", series };
  return judgeSweep(judge, { planIds: ["plan"], fromMs: 0, toMs: question.toMs, minimumEffect }, [
    { ...place, cells: [{ ...subject, runs: [a, b] }] },
  ]);
}

const makeWeek = (verdicts: BenchmarkLatestVerdict[]) => ({
  week: { fromMs: 0, toMs: 7 * 24 * HOUR_MS, timeZone: "UTC", name: "2026-W48" },
  causes: [],
  fills: [],
  uploads: [],
  drives: [],
  verdicts,
});

const latestOf = (comparison: BenchmarkComparison): BenchmarkLatestVerdict => ({
  ...comparison,
  planId: "plan",
  planName: "Plan",
  ...subject,
  lastAt: new Date(0),
  lastRunAt: new Date(0),
});

/** Returns the medians of both sides over the slots in which both have one. */
function mediansOfPairs({ a, b }: AssessedSlots["compared"]): number[] {
  const [ofA, ofB] = [a.runs.medianMs, b.runs.medianMs];
  const isPair = (_: number, i: number) => Number.isFinite((ofA[i] ?? 0) + (ofB[i] ?? 0));
  return [ofA, ofB].map((each) => median(each.filter(isPair)));
}

/** Returns the endpoint that a text names as leading without a test, if any. */
const leadIn = (text: string): string | null => /(Alpha|Beta) leads, not tested/.exec(text)?.[1] ?? null;

/** Returns the endpoint that a text names as faster or fastest, if any. */
const namedIn = (text: string): string | null =>
  /(Alpha|Beta) is (?:faster than|(?:the )?fastest)/.exec(text)?.[1] ?? null;

test("card, results, sizes, Overview, weekly report and API agree on the winner and the slots, and name no winner without enough undisturbed slots", async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(slotsOfPlan, async (plan) => {
      const [a, b] = [makeColumns(plan.a), makeColumns(plan.b)];
      const sides = { a: { endpoint: fast, runs: a }, b: { endpoint: slow, runs: b } };
      const { slots, compared } = assessSlots(sides);
      fc.pre(slots.measuredCount > 0);
      const comparison = await judgePair(judge, asked, sides);
      const latest = latestOf(comparison);
      const sweep = await runSweep(a, b);
      const [place] = sweep.places;
      const cell = place?.cells[0];
      const letter = composeLetter(makeWeek([latest]), "https://console.test").text;
      const short = describeVerdictShortly(latest);
      const winner = namedIn(comparison.sentence);
      const { verdict } = comparison;
      const leads = verdict.kind === "leads" ? (verdict.which === "a" ? fast.name : slow.name) : null;
      outcomes.add(`${comparison.verdict.kind} ${cell?.because}`);

      expect(namedIn(letter)).toBe(winner);
      expect(short.about === "Alpha" || short.about === "Beta" ? short.about : null).toBe(winner ?? leads);
      expect(cell?.leader === null ? null : [fast.name, slow.name][cell?.leader ?? -1]).toBe(leads);
      expect(leadIn(place?.sentences.join(" ") ?? "")).toBe(leads);
      for (const text of [comparison.sentence, letter]) expect(leadIn(text)).toBe(leads);
      expect(cell?.because === "success").toBe(verdict.kind === "unequal success");
      const isFailing = [plan.a, plan.b].some((runs) =>
        runs.some(({ failureCount, hasFailed }) => failureCount > 0 || hasFailed),
      );
      if (!isFailing) expect(comparison.sentence).not.toMatch(/Succeeded|succeeds/);
      const fastest = cell?.fastest === null ? null : [fast.name, slow.name][cell?.fastest ?? -1];
      expect([null, winner]).toContain(fastest);
      expect(namedIn(place?.sentences.join(" ") ?? "")).toBe(fastest);
      expect(cell?.slots).toMatchObject(slots);
      if (slots.undisturbedCount > 0) {
        // The figures beside a mark are of the slots that decide about it.
        expect(cell?.entries.map(({ medianMs }) => medianMs.value)).toEqual(mediansOfPairs(compared));
      }

      const answer = JSON.parse(JSON.stringify({ answeredAt: new Date(0), verdict: latest, slots: null }));
      const { verdict: told } = apiOperations.readVerdict.answer.parse(answer);
      const { sentence, success } = comparison;
      expect(told).toMatchObject({ sentence, verdict, success, slots });

      const counted = formatSlots(slots);
      for (const text of [comparison.sentence, letter, `${short.value} ${formatVerdictSource(latest)}`]) {
        expect(text.split(counted)).toHaveLength(2);
      }
      const inference = [formatDecision(comparison), formatBasis({ cells: place?.cells ?? [] }, sweep)].join(
        " ",
      );
      expect(inference).not.toContain(`${slots.measuredCount} of`);
      if (isGateOpen(slots)) return;
      expect([winner, cell?.fastest, cell?.pValue, comparison.pValue]).toEqual([null, null, null, null]);
      if (verdict.kind === "unequal success") return;
      expect(cell?.because).toBe("slots");
      expect(place?.sentences.join(" ")).toContain(counted);
      expect(formatDecision(comparison)).not.toMatch(/p [=<>]/);
      expect(comparison.ratio).toMatchObject({ low: null, high: null });
    }),
    { numRuns: 150 },
  );
  for (const outcome of ["too few runs slots", "leads slots", "unequal success success"]) {
    expect(outcomes).toContain(outcome);
  }
  expect([...outcomes].some((outcome) => outcome.startsWith("faster"))).toBe(true);
  expect([...outcomes].some((outcome) => outcome.startsWith("not distinguishable"))).toBe(true);
}, 120_000);

const quiet = { ...whole, isMissing: false, hasFailed: false };

test("seventeen contaminated slots have no winner, although all favour the same endpoint", async () => {
  const loud = (meanMs: number) => Array.from({ length: 17 }, () => ({ ...quiet, meanMs, taggedShare: 0.5 }));
  const sides = {
    a: { endpoint: fast, runs: makeColumns(loud(100)) },
    b: { endpoint: slow, runs: makeColumns(loud(150)) },
  };
  const comparison = await judgePair(judge, asked, sides);
  expect(comparison.sentence).toBe(
    "Alpha and Beta cannot be judged yet: 17 slots, none undisturbed, 6 needed.",
  );
  expect(formatComparison(comparison)).toBe(comparison.sentence);
  const started = comparison.contamination?.worst.map(({ startedMs }) => startedMs) ?? [];
  expect(started).toHaveLength(20);
  expect(started.every((ms) => sides.a.runs.startedMs.includes(ms))).toBe(true);
  const sweep = await runSweep(sides.a.runs, sides.b.runs);
  expect(sweep.places[0]?.sentences).toEqual([
    "Upload: not judged yet (17 slots, none undisturbed, 6 needed) at 256 kB.",
  ]);
});
