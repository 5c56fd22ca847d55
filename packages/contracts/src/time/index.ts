export * from "./duration.ts";
export { defaultTimeRange, parseTimeRange, type TimeRange, type TimeRangeExpressions } from "./range.ts";
export { isTimeZone } from "./time-zone.ts";
