import { expect, test } from "vitest";
import { correctCoordinatedOmission, type StartedOperations } from "./coordinated-omission.ts";
import { StatsError } from "./error.ts";
import { nearestRank } from "./rank.ts";

interface Step {
  readonly kind: string;
  readonly usualMs: number;
}

/**
 * Simulates a client that performs its steps in turn over one connection, with a pause after each and occasional
 * stalls.
 */
function performInTurns(
  steps: readonly Step[],
  {
    rounds,
    pauseMs,
    stallMs,
  }: { rounds: number; pauseMs: number; stallMs: (round: number, step: Step) => number },
): Map<string, StartedOperations> {
  const byKind = new Map(
    steps.map(({ kind }) => [kind, { startedAt: [] as number[], latencies: [] as number[] }]),
  );
  let now = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const step of steps) {
      const latency = step.usualMs + stallMs(round, step);
      const list = byKind.get(step.kind);
      list?.startedAt.push(now);
      list?.latencies.push(latency);
      now += latency + pauseMs;
    }
  }
  return new Map(
    [...byKind].map(([kind, { startedAt, latencies }]) => [
      kind,
      { startedAt, latencies, values: latencies, connections: latencies.map(() => 0) },
    ]),
  );
}

function rank(values: ArrayLike<number>, perMillion: number): number {
  return Float64Array.from(values).sort()[nearestRank(values.length, perMillion) - 1] ?? Number.NaN;
}

/**
 * Durations of operations that are due every `interval` during the stalls of a run, independent of earlier operations.
 */
function startRegularly(run: StartedOperations, interval: number, usualMs: number): number[] {
  const last = (run.startedAt[run.startedAt.length - 1] ?? 0) + usualMs;
  const stalls = Array.from(run.latencies)
    .map((latency, i) => ({ from: run.startedAt[i] ?? 0, to: (run.startedAt[i] ?? 0) + latency }))
    .filter(({ from, to }) => to - from > usualMs);
  const latencies: number[] = [];
  for (let at = 0; at < last; at += interval) {
    const stall = stalls.find(({ from, to }) => at >= from && at < to);
    latencies.push(stall === undefined ? usualMs : stall.to - at);
  }
  return latencies;
}

test("the corrected p95 of the smaller of two alternating sizes equals that of a client that keeps its pace", () => {
  // A round takes 10 + 10 + 175 + 10 = 205 ms. One small upload of 66 stalls for five rounds.
  const steps = [
    { kind: "small", usualMs: 10 },
    { kind: "large", usualMs: 175 },
  ];
  const stallMs = (round: number, { kind }: Step) => (kind === "small" && round % 66 === 30 ? 5 * 205 : 0);
  const small = performInTurns(steps, { rounds: 660, pauseMs: 10, stallMs }).get("small");
  if (small === undefined) throw new Error("The small size was not performed.");
  const { interval, corrected } = correctCoordinatedOmission(small);
  expect(interval).toBe(205);
  expect(rank(startRegularly(small, 205, 10), 950_000)).toBe(420);
  expect(rank(corrected, 950_000)).toBe(420);
  // With the median and the pause as the interval, which ignores the other size, the result would be more than twice as
  // large.
  const assumed = { ...small, startedAt: Array.from(small.latencies, (_, i) => i * 20) };
  expect(rank(correctCoordinatedOmission(assumed).corrected, 950_000)).toBeGreaterThan(900);
});

test("a sweep whose operations start every few seconds omits none during a stall of one second", () => {
  const steps = Array.from({ length: 18 }, (_, i) => ({ kind: `step ${i}`, usualMs: i === 0 ? 5 : 120 }));
  const stallMs = (round: number, { kind }: Step) => (kind === "step 0" && round % 25 === 9 ? 1000 : 0);
  const first = performInTurns(steps, { rounds: 100, pauseMs: 10, stallMs }).get("step 0");
  if (first === undefined) throw new Error("The first step was not performed.");
  const { interval, corrected } = correctCoordinatedOmission(first);
  expect(interval).toBeGreaterThan(2000);
  expect(corrected).toHaveLength(100);
  expect(rank(corrected, 900_000)).toBe(5);
  // With 5 ms and the pause of 10 ms as the interval, 65 omitted operations per stall would have raised it to 565 or
  // more.
  const assumed = { ...first, startedAt: Array.from(first.latencies, (_, i) => i * 15) };
  expect(rank(correctCoordinatedOmission(assumed).corrected, 900_000)).toBeGreaterThan(500);
});

const regular = { startedAt: [0, 10, 20], latencies: [1, 45, 2], values: [1, 45, 2], connections: [0, 0, 0] };

test("each latency above the interval adds those of the operations that were not started", () => {
  expect(correctCoordinatedOmission(regular)).toEqual({
    interval: 10,
    corrected: Float64Array.of(1, 45, 2, 35, 25, 15),
  });
});

test("intervals are computed per connection, and a connection with a single start corrects nothing", () => {
  const apart = { ...regular, startedAt: [0, 1, 40], connections: [0, 1, 0] };
  expect(correctCoordinatedOmission(apart).interval).toBe(40);
  const single = { ...regular, connections: [0, 1, 2] };
  expect(correctCoordinatedOmission(single)).toEqual({
    interval: null,
    corrected: Float64Array.of(1, 45, 2),
  });
});

test("a failure counts with its assigned value, but delays others only for its own duration", () => {
  const quick = { ...regular, latencies: [1, 3, 2], values: [1, 30_000, 2] };
  expect(correctCoordinatedOmission(quick).corrected).toEqual(Float64Array.of(1, 30_000, 2));
  const long = { ...regular, latencies: [1, 30, 2], values: [1, 30_000, 2] };
  expect(correctCoordinatedOmission(long).corrected).toEqual(Float64Array.of(1, 30_000, 2, 20, 10));
});

test.each<[Partial<StartedOperations>, RegExp]>([
  [{ latencies: [] }, /There are no latencies/],
  [{ latencies: [1, -1, 2] }, /Latency 1 is -1/],
  [{ latencies: [1, Number.NaN, 2] }, /not-finite|not a finite number/],
  [{ connections: [0] }, /length of each list of operations is 1/],
  [{ startedAt: [0, 1e-6, 2e-6], latencies: [1e3, 1e3, 1e3] }, /at most 10000000 are allowed/],
])("the input %j is refused with an explanation", (change, sentence) => {
  expect(() => correctCoordinatedOmission({ ...regular, ...change })).toThrow(StatsError);
  expect(() => correctCoordinatedOmission({ ...regular, ...change })).toThrow(sentence);
});
