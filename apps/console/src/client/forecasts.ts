/** Forecasts of when a vault's pods or stash are full, in the words that every page uses. */
import type { ForecastStore } from "@stashlight/contracts/forecast";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import {
  describeFullIn,
  describeHistory,
  describeReason,
  describeSpan,
  type Forecast,
  isFarAway,
  likelyFullInMs,
  shownForecast,
} from "@stashlight/stats/forecast";
import type { Status } from "@stashlight/ui";

export interface VaultForecast {
  readonly vault: string;
  readonly store: ForecastStore;
  readonly forecast: Forecast;
}

/** A forecast of hours does not change within a minute, but a full store may be emptied at any moment. */
const REFETCH_MS = 60_000;
const REFETCH_FULL_MS = 5_000;

export const forecastRefetchMs = (forecasts: readonly VaultForecast[]): number =>
  forecasts.some(({ forecast }) => forecast.kind === "full") ? REFETCH_FULL_MS : REFETCH_MS;

const unknown: Forecast = { kind: "none", reason: { kind: "no-history" } };

export function findForecast(
  forecasts: readonly VaultForecast[],
  vault: string,
  store: ForecastStore,
): Forecast {
  return forecasts.find((each) => each.vault === vault && each.store === store)?.forecast ?? unknown;
}

/** Returns the forecast of a vault's pods to show beside their fill, which the page reads more often. */
export const findForecastOfPods = (
  forecasts: readonly VaultForecast[],
  vault: string,
  fill: number | null,
): Forecast => shownForecast(findForecast(forecasts, vault, "pods"), fill, vaultMarks.fullShare);

interface TimeToFullMarks {
  readonly timeToFullSecondsBad: number;
  readonly timeToFullSecondsWarning: number;
}

/** Judges a forecast by the limits of the alert rules, so that a page warns exactly when a rule fires. */
export function judgeForecast(forecast: Forecast, marks: TimeToFullMarks): Status {
  if (forecast.kind === "none") return isFarAway(forecast.reason) ? "good" : "unknown";
  const seconds = (likelyFullInMs(forecast) ?? 0) / 1000;
  if (seconds < marks.timeToFullSecondsBad) return "bad";
  return seconds < marks.timeToFullSecondsWarning ? "warning" : "good";
}

export interface ForecastWords {
  /** "3 to 9 days"; null without a forecast. */
  readonly value: string | null;
  /** "from 12 days of history", or the reason that there is no forecast. */
  readonly statistic?: string;
  readonly missing?: string;
}

export function formatForecast(forecast: Forecast): ForecastWords {
  if (forecast.kind === "full") return { value: "full" };
  if (forecast.kind === "filling") {
    return { value: describeFullIn(forecast), statistic: `95\u00a0%, ${describeHistory(forecast)}` };
  }
  const { reason } = forecast;
  if (reason.kind === "no-growth") return { value: "not filling", statistic: describeHistory(reason) };
  if (reason.kind === "beyond-reach") {
    return { value: `over ${describeSpan(reason.reachMs)}`, statistic: describeHistory(reason) };
  }
  return { value: null, missing: "No forecast.", statistic: describeReason(reason) };
}

/** Rank by time to full: sooner is worse. Undefined if unknown. */
export function rankForecast(forecast: Forecast): { readonly rank?: number } {
  const seconds = orderOfForecast(forecast);
  return seconds === Number.POSITIVE_INFINITY ? {} : { rank: -seconds };
}

/** Sort key in seconds; unknown forecasts come after stores that do not fill. */
export function orderOfForecast(forecast: Forecast): number {
  if (forecast.kind === "full") return 0;
  if (forecast.kind === "filling") return forecast.fullInMs.value / 1000;
  return isFarAway(forecast.reason) ? Number.MAX_VALUE : Number.POSITIVE_INFINITY;
}
