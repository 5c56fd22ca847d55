import { getTraceInput, listTracesInput } from "@stashlight/contracts";
import { getTrace, listTraces } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const traceRouter = router({
  list: procedure.input(listTracesInput).query(({ ctx: { ctx }, input }) => listTraces({ ctx, input })),
  get: procedure.input(getTraceInput).query(({ ctx: { ctx }, input }) => getTrace({ ctx, input })),
});
