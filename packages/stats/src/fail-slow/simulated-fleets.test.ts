/** A quick, seeded version of `pnpm bench fail-slow`. */
import { expect, test } from "vitest";
import { addEvaluations, evaluateFleet, simulateFleet } from "./testing/index.ts";

const WINDOW_SECONDS = 1800;

test("nine of ten fail-slow drives of simulated fleets are found, with at most one false alarm per 20 drive-years", () => {
  const evaluated = [11, 12]
    .map((seed) =>
      evaluateFleet(
        simulateFleet({
          seed,
          nodeCount: 14,
          drivesPerNode: 12,
          days: 16,
          windowSeconds: WINDOW_SECONDS,
          slowShare: 0.1,
        }),
        WINDOW_SECONDS,
      ),
    )
    .reduce(addEvaluations);
  const { slowCount, foundCount, falseAlarmCount, healthyDriveYears } = evaluated;
  expect(slowCount).toBeGreaterThan(20);
  expect(healthyDriveYears).toBeGreaterThan(12);
  expect(foundCount / slowCount).toBeGreaterThanOrEqual(0.9);
  expect(falseAlarmCount).toBeLessThanOrEqual(healthyDriveYears / 20);
});
