import { createRandom } from "@stashlight/stats";
import { expect, test } from "vitest";
import { littlesLaw, md1WaitSeconds } from "../index.ts";

/**
 * Simulates one server, first come first served: Lindley's recursion over random arrivals. Returns the mean wait and
 * the mean number inside.
 */
function simulateQueue(options: {
  arrivalsPerSecond: number;
  serviceSeconds: number;
  count: number;
  seed: number;
}) {
  const { arrivalsPerSecond, serviceSeconds, count, seed } = options;
  const random = createRandom(seed);
  let [nowSeconds, freeAtSeconds, waitSeconds, staySeconds] = [0, 0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    nowSeconds -= Math.log((random.uint32() + 1) / 2 ** 32) / arrivalsPerSecond;
    const startSeconds = Math.max(nowSeconds, freeAtSeconds);
    freeAtSeconds = startSeconds + serviceSeconds;
    waitSeconds += startSeconds - nowSeconds;
    staySeconds += freeAtSeconds - nowSeconds;
  }
  return { meanWaitSeconds: waitSeconds / count, staySeconds, lastedSeconds: freeAtSeconds, count };
}

test.each([0.1, 0.3, 0.6, 0.8])("the wait of M/D/1 at utilisation %d matches a simulated queue", (rho) => {
  const serviceSeconds = 0.004;
  const arrivalsPerSecond = rho / serviceSeconds;
  const { meanWaitSeconds } = simulateQueue({ arrivalsPerSecond, serviceSeconds, count: 400_000, seed: 7 });
  const formula = md1WaitSeconds(arrivalsPerSecond, serviceSeconds) as number;
  expect(Math.abs(meanWaitSeconds - formula) / formula).toBeLessThan(0.05);
});

test("Little's law matches the mean number inside a simulated queue", () => {
  const serviceSeconds = 0.01;
  const run = simulateQueue({ arrivalsPerSecond: 70, serviceSeconds, count: 200_000, seed: 3 });
  // Total time inside over the elapsed time, against rate x mean stay, which the formula of M/D/1 gives.
  const inside = run.staySeconds / run.lastedSeconds;
  const stay = (md1WaitSeconds(70, serviceSeconds) as number) + serviceSeconds;
  expect(Math.abs(inside - littlesLaw(70, stay)) / inside).toBeLessThan(0.05);
});

test("the wait matches a hand calculation: at 60 % a service of 10 ms waits 7.5 ms", () => {
  expect(md1WaitSeconds(60, 0.01)).toBeCloseTo(0.0075, 12);
  expect(littlesLaw(2000, 30)).toBe(60_000);
});

test("an overloaded queue has no finite wait", () => {
  expect(md1WaitSeconds(100, 0.01)).toBeNull();
  expect(md1WaitSeconds(101, 0.01)).toBeNull();
});
