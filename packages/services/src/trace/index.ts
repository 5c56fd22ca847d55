export { type AcceptTracesOptions, acceptTraces, TRACE_METRIC } from "./accept.ts";
export { getTrace } from "./get.ts";
export { listTraces } from "./list.ts";
