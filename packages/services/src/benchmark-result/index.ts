export { compareBenchmark } from "./compare.ts";
export { type ExportedBenchmarkRun, exportBenchmarkRun } from "./export-run.ts";
export { findBenchmarkChanges } from "./find-changes.ts";
export { getBenchmarkHistory } from "./get-history.ts";
export { getLatencyBySize } from "./get-latency-by-size.ts";
export { getBenchmarkOmission } from "./get-omission.ts";
export { type ImportOptions, importBenchmarkRun } from "./import-run.ts";
export { deleteImportedRun, listImportedRuns } from "./imported-runs.ts";
export { judgeBenchmarkWatches } from "./judge-watches.ts";
export { listLatestVerdicts } from "./latest-verdicts.ts";
export { listBenchmarkSubjects } from "./list-subjects.ts";
export {
  createBenchmarkReport,
  listBenchmarkReports,
  readBenchmarkReport,
  revokeBenchmarkReport,
} from "./reports.ts";
export { compareBenchmarkRuns } from "./unpaired.ts";
export { listBenchmarkWatches, removeBenchmarkWatch, setBenchmarkWatch } from "./watches.ts";
