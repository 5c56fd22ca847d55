/**
 * Quality of the verdicts by peers: simulated fleets with labelled fail-slow drives, judged once per day as on a
 * drive's page. The seeds differ from those that the rules were tuned on, and results do not depend on the machine.
 */
import {
  addEvaluations,
  type Evaluation,
  evaluateFleet,
  simulateFleet,
} from "@stashlight/stats/fail-slow/testing";
import type { Measurement } from "./measurement.ts";

const FIRST_SEED = 2001;
const FLEET_COUNT = 4;
const WINDOW_SECONDS = 600;
const fleet = { nodeCount: 20, drivesPerNode: 12, days: 30, windowSeconds: WINDOW_SECONDS, slowShare: 0.1 };

const share = (part: number, whole: number): number => (100 * part) / whole;

export async function benchFailSlow(say: (line: string) => void): Promise<Measurement[]> {
  let total: Evaluation | null = null;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + FLEET_COUNT; seed += 1) {
    const part = evaluateFleet(simulateFleet({ ...fleet, seed }), WINDOW_SECONDS);
    total = total === null ? part : addEvaluations(total, part);
    const { slowCount, foundCount, falseAlarmCount, healthyDriveYears } = total;
    say(
      `fleet ${seed}: ${foundCount} of ${slowCount} found, ${falseAlarmCount} false alarms in ${healthyDriveYears.toFixed(0)} drive years`,
    );
  }
  if (total === null) return [];
  const { slowCount, foundCount, falseAlarmCount, healthyDriveYears, daysToFind } = total;
  const days = daysToFind.toSorted((a, b) => a - b);
  return [
    {
      name: "fail-slow drives found (recall)",
      value: share(foundCount, slowCount),
      unit: "%",
      against: { name: "the 90 % wanted", value: 90 },
    },
    {
      name: "verdicts that are right (precision)",
      value: share(foundCount, foundCount + falseAlarmCount),
      unit: "%",
      against: { name: "all", value: 100 },
    },
    {
      name: "false alarms in 100 drive years",
      value: share(falseAlarmCount, healthyDriveYears),
      unit: "%",
      against: { name: "one in 20 drive years", value: 5 },
    },
    {
      name: "median time to the verdict",
      value: (days[days.length >> 1] ?? 0) * 86_400,
      unit: "s",
      against: { name: "a day", value: 86_400 },
    },
  ];
}
