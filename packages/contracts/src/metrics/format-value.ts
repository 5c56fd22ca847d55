/** Formats a metric's value in its unit, without the catalogue, which pages need not load for that. */

import { DAY_SECONDS } from "../time/duration.ts";
import type { MetricUnit } from "./definition.ts";

const scales: Partial<Record<MetricUnit, readonly (readonly [number, string])[]>> = {
  seconds: [
    [DAY_SECONDS, "days"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
  ],
  bytes: [
    [1e12, "TB"],
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
    [1, "bytes"],
  ],
};

/** One day is shown as 24 hours. */
const leastSeconds = (size: number): number => (size === DAY_SECONDS ? 2 * size : size);

export const DIGITS = 3;
export const DIGITS_MAX = 17;
const figures = Array.from(
  { length: DIGITS_MAX + 1 },
  (_, digits) => new Intl.NumberFormat("en", { maximumSignificantDigits: Math.max(1, digits) }),
);

/** Formats "12.5 ms", "75 %", "3 shards". */
export function formatMetricValue(unit: MetricUnit | "share", value: number, digits = DIGITS): string {
  const figure = figures[digits] ?? new Intl.NumberFormat("en");
  if (unit === "share" || unit === "ratio") return `${figure.format(value * 100)} %`;
  const steps = scales[unit];
  const isFitting = (size: number): boolean =>
    value === 0 ? size === 1 : Math.abs(value) >= leastSeconds(size);
  const [size, name] = steps?.find(([size]) => isFitting(size)) ??
    steps?.at(-1) ?? [1, unit === "count" || unit === "boolean" || unit === "info" ? "" : unit];
  return `${figure.format(value / size)} ${name}`.trim();
}
