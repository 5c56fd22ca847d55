import type { Forecast } from "./forecast-result.ts";

/**
 * Returns the forecast to show beside a fill. A store that is full by its fill is shown as full at once, although rules
 * wait until it has been full for 20 minutes. A store that has just lost much of its data is no longer shown as full,
 * even if an older forecast found it full; only the next forecast knows its history. A null share leaves the forecast
 * unchanged.
 */
export function shownForecast(forecast: Forecast, share: number | null, fullShare: number): Forecast {
  if (share === null) return forecast;
  if (share >= fullShare) return { kind: "full" };
  return forecast.kind === "full" ? { kind: "none", reason: { kind: "outdated" } } : forecast;
}
