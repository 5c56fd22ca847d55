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
const figures: Intl.NumberFormat[] = [];

/** Creates each format at its first use, because processes that format nothing load this file too. */
function figureFormat(digits: number): Intl.NumberFormat {
  const format =
    figures[digits] ?? new Intl.NumberFormat("en", { maximumSignificantDigits: Math.max(1, digits) });
  figures[digits] = format;
  return format;
}

/** Formats "12.5 ms", "75 %", "3 shards"; a share reads as 100 % only if it is whole. */
export function formatMetricValue(unit: MetricUnit | "share", value: number, digits = DIGITS): string {
  const figure = figureFormat(digits);
  if (unit === "share" || unit === "ratio") {
    return `${figure.format(100 * (value < 1 ? Math.min(value, 1 - 10 ** -digits) : value))} %`;
  }
  const steps = scales[unit];
  const isFitting = (size: number): boolean =>
    value === 0 ? size === 1 : Math.abs(value) >= leastSeconds(size);
  const [size, name] = steps?.find(([size]) => isFitting(size)) ??
    steps?.at(-1) ?? [1, unit === "count" || unit === "boolean" || unit === "info" ? "" : unit];
  return `${figure.format(value / size)} ${name}`.trim();
}
