import { expect, test } from "vitest";
import { atRandom } from "./pace.ts";

const never = new AbortController().signal;

function virtualPace(uploadsPerSecond: number, random: () => number) {
  const clock = { nowMs: 0 };
  const sleep = async (ms: number) => {
    clock.nowMs += ms;
  };
  return { clock, pace: atRandom({ uploadsPerSecond, nowMs: () => clock.nowMs, random, sleep }) };
}

test("starts uploads at the given rate, with the gaps of a Poisson process", async () => {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const { clock, pace } = virtualPace(20, random);
  const gaps: number[] = [];
  for (let i = 0; i < 20_000; i += 1) {
    const beforeMs = clock.nowMs;
    await pace(never);
    gaps.push(clock.nowMs - beforeMs);
  }
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  expect(mean).toBeGreaterThan(49);
  expect(mean).toBeLessThan(51);
  expect(Math.sqrt(variance) / mean).toBeGreaterThan(0.97);
  expect(Math.sqrt(variance) / mean).toBeLessThan(1.03);
});

test("catches up at once on start times that passed while all writers were busy", async () => {
  const { clock, pace } = virtualPace(10, () => 1 - Math.exp(-1));
  await pace(never);
  expect(clock.nowMs).toBeCloseTo(100);
  clock.nowMs = 350;
  await pace(never);
  await pace(never);
  expect(clock.nowMs).toBe(350);
  await pace(never);
  expect(clock.nowMs).toBeCloseTo(400);
});
