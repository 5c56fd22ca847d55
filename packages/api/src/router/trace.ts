import { getTraceInput, listTracesInput } from "@stashlight/contracts/upload";
import { getTrace, listTraces } from "@stashlight/services/trace";
import { queryWith, router } from "../trpc.ts";

export const traceRouter = router({
  list: queryWith(listTracesInput, listTraces),
  get: queryWith(getTraceInput, getTrace),
});
