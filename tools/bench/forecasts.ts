/**
 * Quality of capacity forecasts: 500 simulated vaults of 30 days, each asked every hour when it will be full. The seeds
 * differ from those that the forecast was tuned on.
 */
import { backTest } from "@stashlight/stats/forecast/testing";
import type { Measurement } from "./measurement.ts";

const FIRST_SEED = 300_001;
const VAULT_COUNT = 500;
const DAY_COUNT = 30;
/** Number of vaults between progress lines. */
const PART_COUNT = 50;

export async function benchForecasts(say: (line: string) => void): Promise<Measurement[]> {
  let total = {
    vaultMonths: 0,
    forecastCount: 0,
    intervalCount: 0,
    coveredCount: 0,
    falseAlarmCount: 0,
    fullCount: 0,
    foundCount: 0,
  };
  for (let done = 0; done < VAULT_COUNT; done += PART_COUNT) {
    const part = backTest({
      firstSeed: FIRST_SEED + done,
      vaultCount: PART_COUNT,
      dayCount: DAY_COUNT,
      everyHours: 1,
    });
    total = {
      vaultMonths: total.vaultMonths + part.vaultMonths,
      forecastCount: total.forecastCount + part.forecastCount,
      intervalCount: total.intervalCount + part.intervalCount,
      coveredCount: total.coveredCount + part.coveredCount,
      falseAlarmCount: total.falseAlarmCount + part.falseAlarmCount,
      fullCount: total.fullCount + part.fullCount,
      foundCount: total.foundCount + part.foundCount,
    };
    say(`forecasts of ${done + PART_COUNT} of ${VAULT_COUNT} vaults: ${JSON.stringify(total)}`);
  }
  const share = (part: number, whole: number): number => (100 * part) / whole;
  return [
    {
      name: "95 % intervals that held",
      value: share(total.coveredCount, total.intervalCount),
      unit: "%",
      against: { name: "the 95 % that they promise", value: 95 },
    },
    {
      name: "vault months with a false alarm",
      value: share(total.falseAlarmCount, total.vaultMonths),
      unit: "%",
      against: { name: "the one in a hundred that is allowed", value: 1 },
    },
    {
      name: "full vaults found 6 h ahead",
      value: share(total.foundCount, total.fullCount),
      unit: "%",
      against: { name: "the 95 % wanted", value: 95 },
    },
  ];
}
