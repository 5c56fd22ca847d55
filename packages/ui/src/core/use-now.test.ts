import { expect, test } from "vitest";
import { untilTickMs } from "./use-now.ts";

test.each([
  [0, 5_000, 0, 5_000],
  [4_999, 5_000, 0, 1],
  [0, 5_000, 1_500, 1_500],
  [1_500, 5_000, 1_500, 5_000],
  [1_501, 5_000, 1_500, 4_999],
  [1_763_746_203_250, 1_000, 0, 750],
])(
  "at %d ms, a clock that ticks every %d ms with an offset of %d ms ticks again in %d ms",
  (nowMs, intervalMs, offsetMs, expected) => {
    expect(untilTickMs(nowMs, intervalMs, offsetMs)).toBe(expected);
  },
);
