export {
  describeForecast,
  describeFullIn,
  describeHistory,
  describeReason,
  describeSpan,
} from "./describe.ts";
export { type ForecastInput, forecastFull, forecastMarks, isFarAway, likelyFullInMs } from "./forecast.ts";
export type { Estimate95, Forecast, HistoryPoint, NoForecastReason } from "./forecast-result.ts";
export { shownForecast } from "./shown-forecast.ts";
export { describeWear, forecastWear } from "./wear.ts";
