export { type BenchmarkExportFormat, benchmarkExportFormats, driveExportFormats } from "./export-formats.ts";
export { formatSlots, gateVerdict, isGateOpen } from "./gate.ts";
export * from "./import-events.ts";
export type { BenchmarkMethodRow, BenchmarkParameter, ParameterUnit } from "./method.ts";
export {
  type BenchmarkCost,
  type BenchmarkGroupRow,
  type BenchmarkMark,
  type BenchmarkMethodChoice,
  type BenchmarkPlanPreview,
  type BenchmarkPlanRow,
  type BenchmarkReport,
  type BenchmarkRestQueued,
  type BenchmarkRunDetails,
  type BenchmarkRunLabel,
  type BenchmarkRunRow,
  type BenchmarkRunState,
  type BenchmarkSlotCount,
  type BenchmarkSlotRow,
  type BenchmarkStageCosts,
  type BenchmarkVantage,
  benchmarkGroupInput,
  benchmarkMethodSchema,
  benchmarkPlanIdInput,
  benchmarkRunIdInput,
  benchmarkRunLabels,
  benchmarkRunStates,
  cancelBenchmarkSlotInput,
  createBenchmarkPlanInput,
  deleteBenchmarkPlanInput,
  listBenchmarkMarksInput,
  listBenchmarkSlotsInput,
  type MissedPolicy,
  missedPolicies,
  pauseBenchmarkPlanInput,
  previewBenchmarkPlanInput,
  updateBenchmarkPlanInput,
} from "./plan.ts";
export { findPublishedFigures } from "./published-figures.ts";
export * from "./report.ts";
export { RESTORE_CONNECTIONS_MAX, RESTORE_OBJECTS_MAX } from "./restore-limits.ts";
export {
  type BenchmarkCaveat,
  type BenchmarkChange,
  type BenchmarkComparison,
  type BenchmarkComparisonQuestion,
  type BenchmarkContamination,
  type BenchmarkEndpointRef,
  type BenchmarkEstimate,
  type BenchmarkHistory,
  type BenchmarkHistorySeries,
  type BenchmarkLatestVerdict,
  type BenchmarkOmissionView,
  type BenchmarkPlanVerdict,
  type BenchmarkSide,
  type BenchmarkSlots,
  type BenchmarkSubject,
  type BenchmarkSubjectChoice,
  type BenchmarkUnpaired,
  type BenchmarkVerdict,
  benchmarkCaveatKinds,
  benchmarkComparisonInput,
  benchmarkHistoryInput,
  benchmarkImportBytesMax,
  benchmarkImportTextBytesMax,
  benchmarkSubjectInput,
  type ComparableRun,
  type ComparableSubject,
  type ComparedBy,
  compareBenchmarkRunsInput,
  exportBenchmarkRunInput,
  type ImportedBenchmarkRun,
  importBenchmarkRunInput,
  type MinimumEffectChoice,
  minimumEffectSchema,
  type UnpairedSide,
} from "./result.ts";
export { formatResult } from "./result-text.ts";
export * from "./sweep.ts";
export * from "./sweep-sentences.ts";
export * from "./verdict-sentences.ts";
export * from "./watch.ts";
