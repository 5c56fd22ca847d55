import {
  benchmarkPlanIdInput,
  createBenchmarkPlanInput,
  deleteBenchmarkPlanInput,
  previewBenchmarkPlanInput,
  updateBenchmarkPlanInput,
} from "@stashlight/contracts";
import {
  createBenchmarkPlan,
  deleteBenchmarkPlan,
  getBenchmarkPlan,
  listBenchmarkMethods,
  listBenchmarkPlans,
  listVantages,
  pauseBenchmarkPlan,
  previewBenchmarkPlan,
  resumeBenchmarkPlan,
  runBenchmarkPlanNow,
  updateBenchmarkPlan,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const benchmarkPlanRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listBenchmarkPlans({ ctx })),
  get: procedure
    .input(benchmarkPlanIdInput)
    .query(({ ctx: { ctx }, input }) => getBenchmarkPlan({ ctx, input })),
  listMethods: procedure.query(({ ctx: { ctx } }) => listBenchmarkMethods({ ctx })),
  listVantages: procedure.query(({ ctx: { ctx } }) => listVantages({ ctx })),
  preview: procedure
    .input(previewBenchmarkPlanInput)
    .query(({ ctx: { ctx }, input }) => previewBenchmarkPlan({ ctx, input })),
  create: procedure
    .input(createBenchmarkPlanInput)
    .mutation(({ ctx: { ctx }, input }) => createBenchmarkPlan({ ctx, input })),
  update: procedure
    .input(updateBenchmarkPlanInput)
    .mutation(({ ctx: { ctx }, input }) => updateBenchmarkPlan({ ctx, input })),
  delete: procedure
    .input(deleteBenchmarkPlanInput)
    .mutation(({ ctx: { ctx }, input }) => deleteBenchmarkPlan({ ctx, input })),
  pause: procedure
    .input(benchmarkPlanIdInput)
    .mutation(({ ctx: { ctx }, input }) => pauseBenchmarkPlan({ ctx, input })),
  resume: procedure
    .input(benchmarkPlanIdInput)
    .mutation(({ ctx: { ctx }, input }) => resumeBenchmarkPlan({ ctx, input })),
  runNow: procedure
    .input(benchmarkPlanIdInput)
    .mutation(({ ctx: { ctx }, input }) => runBenchmarkPlanNow({ ctx, input })),
});
