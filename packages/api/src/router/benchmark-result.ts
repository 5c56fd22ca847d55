import { benchmarkPlanIdInput, benchmarkRunIdInput } from "@stashlight/contracts/benchmark/plan";
import {
  benchmarkComparisonInput,
  benchmarkHistoryInput,
  benchmarkSubjectInput,
  compareBenchmarkRunsInput,
} from "@stashlight/contracts/benchmark/result";
import { benchmarkRestoreInput, benchmarkSweepInput } from "@stashlight/contracts/benchmark/sweep";
import { benchmarkWatchIdInput, setBenchmarkWatchInput } from "@stashlight/contracts/benchmark/watch";
import {
  compareBenchmark,
  compareBenchmarkRuns,
  countBenchmarkSlots,
  deleteImportedRun,
  findBenchmarkChanges,
  getBenchmarkHistory,
  getBenchmarkOmission,
  getBenchmarkPlanVerdict,
  getRestoreTime,
  getSweep,
  listBenchmarkSubjects,
  listBenchmarkWatches,
  listComparableRuns,
  listImportedRuns,
  listLatestVerdicts,
  removeBenchmarkWatch,
  runBenchmarkUntilVerdict,
  runRestOfBenchmark,
  setBenchmarkWatch,
} from "@stashlight/services/benchmark-result";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const benchmarkResultRouter = router({
  listSubjects: queryWith(benchmarkPlanIdInput, listBenchmarkSubjects),
  history: queryWith(benchmarkHistoryInput, getBenchmarkHistory),
  changes: queryWith(benchmarkSubjectInput, findBenchmarkChanges),
  compare: queryWith(benchmarkComparisonInput, compareBenchmark),
  countSlots: queryWith(benchmarkComparisonInput, countBenchmarkSlots),
  planVerdict: queryWith(benchmarkPlanIdInput, getBenchmarkPlanVerdict),
  runUntilVerdict: mutationWith(benchmarkPlanIdInput, runBenchmarkUntilVerdict),
  runRest: mutationWith(benchmarkComparisonInput, runRestOfBenchmark),
  omission: queryWith(benchmarkSubjectInput, getBenchmarkOmission),
  sweep: queryWith(benchmarkSweepInput, getSweep),
  restoreTime: queryWith(benchmarkRestoreInput, getRestoreTime),
  latestVerdicts: query(listLatestVerdicts),
  listComparable: query(listComparableRuns),
  compareRuns: queryWith(compareBenchmarkRunsInput, compareBenchmarkRuns),
  listImported: query(listImportedRuns),
  deleteImported: mutationWith(benchmarkRunIdInput, deleteImportedRun),
  listWatches: queryWith(benchmarkPlanIdInput, listBenchmarkWatches),
  setWatch: mutationWith(setBenchmarkWatchInput, setBenchmarkWatch),
  removeWatch: mutationWith(benchmarkWatchIdInput, removeBenchmarkWatch),
});
