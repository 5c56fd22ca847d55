import { expect, test } from "vitest";
import { reconnectDelayMs } from "./backoff.ts";

const limits = { reconnectMsMin: 100, reconnectMsMax: 5_000 };

test("delays double up to the maximum, minus a random part of up to half", () => {
  const rows = [
    [0, 0, 100],
    [0, 0.5, 75],
    [1, 0, 200],
    [5, 0, 3_200],
    [6, 0, 5_000],
    [1_000, 0, 5_000],
    [1_000, 0.999_999, 2_500.002_5],
  ] as const;
  for (const [attempt, random, delayMs] of rows) {
    expect(reconnectDelayMs(attempt, random, limits)).toBeCloseTo(delayMs, 6);
  }
});
