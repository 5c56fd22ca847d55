import { expect, test } from "vitest";
import { afterFailure, isFailing, type RestartPolicy, restartPolicy, steady } from "./restart-policy.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Runs a part under a virtual clock to the end; `lifetimeMs` returns how long the part runs after start number n. */
function run(lifetimeMs: (start: number) => number, untilMs: number, policy: RestartPolicy = restartPolicy) {
  const delaysMs: number[] = [];
  const failingAtMs: number[] = [];
  let state = steady;
  for (let nowMs = 0; nowMs < untilMs; ) {
    const ranMs = lifetimeMs(delaysMs.length);
    nowMs += ranMs;
    const restart = afterFailure(state, { atMs: nowMs, ranMs }, policy);
    if (isFailing(restart.state, policy) && !isFailing(state, policy)) failingAtMs.push(nowMs);
    state = restart.state;
    delaysMs.push(restart.restartInMs);
    nowMs += restart.restartInMs;
  }
  return { delaysMs, failingAtMs, state };
}

test("each failure in a row doubles the delay, up to a minute", () => {
  const { delaysMs } = run(() => 0, 5 * MINUTE_MS);
  expect(delaysMs.slice(0, 10)).toEqual([
    500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ]);
});

test("a part that never works is still retried each minute after a year, and counts as failing once", () => {
  const { delaysMs, failingAtMs } = run(() => 0, 365 * DAY_MS);
  expect(delaysMs.at(-1)).toBe(60_000);
  expect(delaysMs.length).toBeGreaterThan(365 * 24 * 60);
  expect(failingAtMs).toEqual([1_500]);
});

test("a part that works for five minutes is restarted with the shortest delay again", () => {
  const { delaysMs } = run((start) => (start === 3 ? restartPolicy.steadyAfterMs : 0), 10 * MINUTE_MS);
  expect(delaysMs.slice(0, 6)).toEqual([500, 1_000, 2_000, 500, 1_000, 2_000]);
});

test("a part that works for a little less than five minutes keeps its longer delay", () => {
  const { delaysMs } = run((start) => (start === 3 ? restartPolicy.steadyAfterMs - 1 : 0), 10 * MINUTE_MS);
  expect(delaysMs.slice(0, 5)).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
});

test("a part that fails once a day is not reported as failing", () => {
  const { delaysMs, failingAtMs } = run(() => DAY_MS, 365 * DAY_MS);
  expect(new Set(delaysMs)).toEqual(new Set([restartPolicy.firstDelayMs]));
  expect(failingAtMs).toEqual([]);
});

test("a part that was failing, recovered and fails again counts as failing again since the new failures", () => {
  const { failingAtMs, state } = run((start) => (start === 4 ? DAY_MS : 0), DAY_MS + MINUTE_MS);
  expect(failingAtMs).toHaveLength(2);
  expect(state.sinceMs).toBeGreaterThan(DAY_MS);
});

test("a shorter bound, such as that of the vault's processes, is respected", () => {
  const { delaysMs } = run(() => 0, 10 * MINUTE_MS, { ...restartPolicy, delayMsMax: 10_000 });
  expect(Math.max(...delaysMs)).toBe(10_000);
});

test("delays stay finite after thousands of failures", () => {
  const state = { failuresInARow: 5_000, sinceMs: 0 };
  expect(afterFailure(state, { atMs: 1, ranMs: 0 }, restartPolicy).restartInMs).toBe(60_000);
});
