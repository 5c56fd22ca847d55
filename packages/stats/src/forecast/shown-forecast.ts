import { forecastMarks } from "./forecast.ts";
import type { Forecast } from "./forecast-result.ts";

/**
 * Returns the forecast to show beside a fill: a store that is full by this fill is full now, although rules wait until
 * it has been for 20 minutes, and one that has just lost much of its data is not full any more, although its forecast is
 * older than its fill. A null share leaves the forecast as it is.
 */
export function shownForecast(forecast: Forecast, share: number | null, fullShare: number): Forecast {
  if (share === null) return forecast;
  if (share >= fullShare) return { kind: "full" };
  if (forecast.kind !== "full") return forecast;
  return {
    kind: "none",
    reason: { kind: "short-history", spanMs: 0, neededMs: forecastMarks.spanMsMin, isChange: true },
  };
}
