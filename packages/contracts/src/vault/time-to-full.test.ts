import { expect, test } from "vitest";
import { timeToFull } from "./time-to-full.ts";

const every10s = Array.from({ length: 13 }, (_, i) => i * 10_000);
const growing = every10s.map((ms) => 100 + ms / 1_000);

test.each([
  ["one byte a second", growing, 1_000, { kind: "filling", seconds: 780, bytesPerSecond: 1 }],
  ["level", every10s.map(() => 100), 1_000, { kind: "not-filling" }],
  ["shrinking", growing.toReversed(), 1_000, { kind: "not-filling" }],
  ["so slow that it is years away", every10s.map((ms) => 100 + ms / 1e9), 1e9, { kind: "not-filling" }],
  ["full", every10s.map(() => 1_000), 1_000, { kind: "full" }],
  ["of unknown capacity", growing, null, { kind: "too-little-data", reason: "no capacity was reported" }],
] as const)("a store that is %s", (_, liveBytes, capacityBytes, expected) => {
  const told = timeToFull({ endMs: every10s, liveBytes, capacityBytes });
  if (told.kind !== "filling" || expected.kind !== "filling") expect(told).toEqual(expected);
  else {
    expect(told.bytesPerSecond).toBeCloseTo(expected.bytesPerSecond, 6);
    expect(told.seconds).toBeCloseTo(expected.seconds, 3);
  }
});

test.each([
  [0, "needs 5 windows, has 0"],
  [4, "needs 5 windows, has 4"],
  [6, "needs a minute of windows"],
])("%i windows of ten seconds are too few to say", (count, reason) => {
  const told = timeToFull({
    endMs: every10s.slice(0, count),
    liveBytes: growing.slice(0, count),
    capacityBytes: 1_000,
  });
  expect(told).toEqual({ kind: "too-little-data", reason });
});

test("one emptied segment at the end does not turn a store that fills into one that does not", () => {
  const liveBytes = [...growing.slice(0, -1), 110];
  expect(timeToFull({ endMs: every10s, liveBytes, capacityBytes: 1_000 }).kind).toBe("filling");
});
