import { metricHeatmapInput, metricQueryInput, stallsInput } from "@stashlight/contracts";
import { findStalls, queryHeatmap, queryMetric } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const metricRouter = router({
  query: procedure.input(metricQueryInput).query(({ ctx: { ctx }, input }) => queryMetric({ ctx, input })),
  heatmap: procedure
    .input(metricHeatmapInput)
    .query(({ ctx: { ctx }, input }) => queryHeatmap({ ctx, input })),
  stalls: procedure.input(stallsInput).query(({ ctx: { ctx }, input }) => findStalls({ ctx, input })),
});
