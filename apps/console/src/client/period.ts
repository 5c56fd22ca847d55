import { DAY_MS, HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";

const SECOND = [1000, "s"] as const;
const units = [
  [DAY_MS, "d"],
  [HOUR_MS, "h"],
  [MINUTE_MS, "min"],
] as const;

/** Formats the length of a period that a figure covers, with two digits: "30 s", "1 min", "105 s", "4.9 min", "90 min". */
export function formatPeriod(periodMs: number): string {
  const [unitMs, unit] = units.find(([each]) => periodMs >= 2 * each || periodMs === each) ?? SECOND;
  const count = periodMs / unitMs;
  return `${count < 10 ? Number(count.toPrecision(2)) : Math.round(count)} ${unit}`;
}
