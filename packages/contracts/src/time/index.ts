export {
  DAY_MS,
  DAY_SECONDS,
  HOUR_MS,
  HOUR_SECONDS,
  MINUTE_MS,
  MINUTE_SECONDS,
  SECOND_MS,
  WEEK_MS,
  YEAR_MS,
  YEAR_SECONDS,
} from "./duration.ts";
export { defaultTimeRange, parseTimeRange, type TimeRange, type TimeRangeExpressions } from "./range.ts";
export { isTimeZone } from "./time-zone.ts";
