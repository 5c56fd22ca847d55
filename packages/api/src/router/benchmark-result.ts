import {
  benchmarkComparisonInput,
  benchmarkHistoryInput,
  benchmarkLatencyBySizeInput,
  benchmarkPlanIdInput,
  benchmarkRunIdInput,
  benchmarkSubjectInput,
  benchmarkWatchIdInput,
  compareBenchmarkRunsInput,
  setBenchmarkWatchInput,
} from "@stashlight/contracts";
import {
  compareBenchmark,
  compareBenchmarkRuns,
  deleteImportedRun,
  findBenchmarkChanges,
  getBenchmarkHistory,
  getBenchmarkOmission,
  getLatencyBySize,
  listBenchmarkSubjects,
  listBenchmarkWatches,
  listImportedRuns,
  listLatestVerdicts,
  removeBenchmarkWatch,
  setBenchmarkWatch,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const benchmarkResultRouter = router({
  listSubjects: procedure
    .input(benchmarkPlanIdInput)
    .query(({ ctx: { ctx }, input }) => listBenchmarkSubjects({ ctx, input })),
  history: procedure
    .input(benchmarkHistoryInput)
    .query(({ ctx: { ctx }, input }) => getBenchmarkHistory({ ctx, input })),
  changes: procedure
    .input(benchmarkSubjectInput)
    .query(({ ctx: { ctx }, input }) => findBenchmarkChanges({ ctx, input })),
  compare: procedure
    .input(benchmarkComparisonInput)
    .query(({ ctx: { ctx }, input }) => compareBenchmark({ ctx, input })),
  omission: procedure
    .input(benchmarkSubjectInput)
    .query(({ ctx: { ctx }, input }) => getBenchmarkOmission({ ctx, input })),
  latencyBySize: procedure
    .input(benchmarkLatencyBySizeInput)
    .query(({ ctx: { ctx }, input }) => getLatencyBySize({ ctx, input })),
  latestVerdicts: procedure.query(({ ctx: { ctx } }) => listLatestVerdicts({ ctx })),
  compareRuns: procedure
    .input(compareBenchmarkRunsInput)
    .query(({ ctx: { ctx }, input }) => compareBenchmarkRuns({ ctx, input })),
  listImported: procedure.query(({ ctx: { ctx } }) => listImportedRuns({ ctx })),
  deleteImported: procedure
    .input(benchmarkRunIdInput)
    .mutation(({ ctx: { ctx }, input }) => deleteImportedRun({ ctx, input })),
  listWatches: procedure
    .input(benchmarkPlanIdInput)
    .query(({ ctx: { ctx }, input }) => listBenchmarkWatches({ ctx, input })),
  setWatch: procedure
    .input(setBenchmarkWatchInput)
    .mutation(({ ctx: { ctx }, input }) => setBenchmarkWatch({ ctx, input })),
  removeWatch: procedure
    .input(benchmarkWatchIdInput)
    .mutation(({ ctx: { ctx }, input }) => removeBenchmarkWatch({ ctx, input })),
});
