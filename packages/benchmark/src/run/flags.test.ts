import { createUniform } from "@stashlight/stats/random";
import { expect, test } from "vitest";
import { findFlags, type JudgedRun, type JudgedSample, type RunFlagName } from "./flags.ts";

const random = createUniform(3);
/** Latencies of a quiet endpoint, which raise no flags. */
function makeSamples(
  count: number,
  more: (index: number) => Partial<JudgedSample> = () => ({}),
): JudgedSample[] {
  return Array.from({ length: count }, (_, index) => ({
    operation: "PUT",
    sizeBytes: 256_000,
    leg: 0,
    outcome: "ok",
    wireMs: 100 + ((index * 37) % 50) / 2.5,
    isCold: false,
    isTagged: false,
    achievedPauseMs: 10.2,
    connection: 0,
    ...more(index),
  }));
}

function flagNames(samples: readonly JudgedSample[], more: Partial<JudgedRun> = {}): RunFlagName[] {
  const run = {
    connectionCounts: [1, 1],
    pauseMs: 10,
    uncheckedEtagCount: 0,
    storedFailures: [],
    clockOffsetMs: 100,
    ...more,
  };
  return findFlags({ samples, ...run }).map(({ name }) => name);
}

test("a quiet run has no flags, nor does a run without samples", () => {
  expect(flagNames(makeSamples(100))).toEqual([]);
  expect(flagNames([])).toEqual([]);
});

test.each([
  [5, []],
  [6, ["contaminated"]],
] as const)("a run with %i of 100 tagged samples has the flags %j", (count, expected) => {
  expect(flagNames(makeSamples(100, (index) => ({ isTagged: index < count })))).toEqual(expected);
});

test("failures, reopened connections and missed pauses are flagged", () => {
  expect(flagNames(makeSamples(50, (index) => (index === 9 ? { outcome: "timed-out" } : {})))).toEqual([
    "failures",
  ]);
  expect(flagNames(makeSamples(50, (index) => ({ isCold: index === 9 })))).toEqual(["reconnected"]);
  expect(flagNames(makeSamples(50, () => ({ achievedPauseMs: 14 })))).toEqual(["pause-missed"]);
  expect(
    flagNames(
      makeSamples(50, () => ({ achievedPauseMs: 14 })),
      { pauseMs: null },
    ),
  ).toEqual([]);
  expect(flagNames(makeSamples(50, () => ({ operation: "TCP_CONNECT", isCold: true })))).toEqual([]);
});

test("a latency that rises or falls is drift", () => {
  const rising = makeSamples(60, (index) => ({ wireMs: 100 + index + random() * 20 }));
  expect(flagNames(rising)).toEqual(["drift"]);
  expect(findFlags({ ...quiet, samples: rising })[0]?.sentence).toMatch(
    /^PUT of 256 kB \(250 KiB\) over 1 connection became slower/,
  );
  expect(flagNames(makeSamples(60, (index) => ({ wireMs: 200 - index })))).toEqual(["drift"]);
});

const quiet = {
  connectionCounts: [1],
  pauseMs: 10,
  uncheckedEtagCount: 0,
  storedFailures: [],
  clockOffsetMs: null,
};

test("a narrow peak at 40 ms is flagged as delayed acknowledgements", () => {
  const peak = makeSamples(100, (index) => ({
    wireMs: index % 5 === 0 ? 38 + random() * 4 : 5 + random() * 3,
  }));
  expect(flagNames(peak)).toEqual(["delayed-ack"]);
  const wide = makeSamples(100, () => ({ wireMs: 20 + random() * 40 }));
  expect(flagNames(wide)).toEqual([]);
});

test("a larger object that is faster than a smaller one is flagged, but only over the same number of connections", () => {
  const small = makeSamples(40);
  const large = (connection: number) =>
    makeSamples(40, (index) => ({
      sizeBytes: 1_000_000,
      leg: 1,
      wireMs: 50 + ((index * 37) % 50) / 50,
      connection: index % connection,
    }));
  expect(flagNames([...small, ...large(1)])).toEqual(["larger-is-faster"]);
  expect(flagNames([...small, ...large(8)])).toEqual([]);
});

test("ETags that cannot be checked, uploads that were not stored and a wrong clock are flagged", () => {
  const samples = makeSamples(30);
  expect(flagNames(samples, { uncheckedEtagCount: 3 })).toEqual(["etag-unchecked"]);
  expect(flagNames(samples, { storedFailures: ["a: NoSuchKey"] })).toEqual(["not-stored"]);
  expect(flagNames(samples, { clockOffsetMs: -6000 })).toEqual(["clock-off"]);
});
