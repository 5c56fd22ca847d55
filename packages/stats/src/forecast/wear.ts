/**
 * Forecasts when an SSD is worn out: extrapolates the bytes that hosts write to it up to the total that its wear so far
 * implies. The wear is a whole percentage, so that total is known to one percent of the rated endurance.
 */
import { describeReason, describeSpan } from "./describe.ts";
import { type ForecastInput, forecastFull } from "./forecast.ts";
import type { Estimate95, Forecast } from "./forecast-result.ts";

/** Writes to a drive vary less than the fill level of a store: a week of them can predict a quarter of a year. */
const WEAR_REACH_TIMES = 13;

const ROUNDING = 0.01;

export interface WearInput extends Pick<ForecastInput, "points" | "nowMs"> {
  /** Bytes from hosts after which the drive is worn out; null if it does not report both counts. */
  readonly enduranceBytes: number | null;
}

export function forecastWear({ points, enduranceBytes, nowMs }: WearInput): Forecast {
  const at = (capacity: number | null) =>
    forecastFull({ points, capacity, reachTimes: WEAR_REACH_TIMES, nowMs });
  const forecast = at(enduranceBytes);
  const written = points.at(-1)?.value;
  if (forecast.kind !== "filling" || enduranceBytes === null || written === undefined) return forecast;
  const wear = written / enduranceBytes;
  const [sooner, later] = [
    at(written / (wear + ROUNDING)),
    at(written / Math.max(ROUNDING, wear - ROUNDING)),
  ];
  const fullInMs: Estimate95 = {
    value: forecast.fullInMs.value,
    low: sooner.kind === "filling" ? Math.min(sooner.fullInMs.low, forecast.fullInMs.low) : 0,
    high:
      later.kind === "filling"
        ? Math.max(later.fullInMs.high, forecast.fullInMs.high)
        : Number.POSITIVE_INFINITY,
  };
  return { ...forecast, fullInMs };
}

/** Formats one sentence: "Worn out on 2027-03-05 (2027-02-20 to 2027-04-01), by the writes of the last 28 days." */
export function describeWear(forecast: Forecast, nowMs: number): string {
  if (forecast.kind === "full") return "Its rated endurance is used up.";
  if (forecast.kind === "filling") {
    const { value, low, high } = forecast.fullInMs;
    const to = Number.isFinite(high) ? `${dayAfter(nowMs, low)} to ${dayAfter(nowMs, high)}` : null;
    const interval = to ?? `${dayAfter(nowMs, low)} or later`;
    return `Worn out on ${dayAfter(nowMs, value)} (${interval}), by the writes of the last ${describeSpan(forecast.spanMs)}.`;
  }
  const { reason } = forecast;
  switch (reason.kind) {
    case "no-capacity":
      return "No forecast of its wear: SMART reports no wear of 5 % or more together with the bytes written.";
    case "small-share":
      return "No forecast of its wear: less than 10 % of its rated endurance is used.";
    case "no-growth":
      return `No forecast of its wear: nothing beyond chance was written in ${describeSpan(reason.spanMs)}.`;
    case "beyond-reach":
      return `Not worn out before ${dayAfter(nowMs, reason.reachMs)}, which is as far as ${describeSpan(reason.spanMs)} of writes can predict.`;
    default:
      return `No forecast of its wear: ${describeReason(reason)}.`;
  }
}

const dayAfter = (nowMs: number, ms: number): string => new Date(nowMs + ms).toISOString().slice(0, 10);
