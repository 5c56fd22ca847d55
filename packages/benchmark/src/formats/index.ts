export { type ExportFormat, exportFormats, exportRun } from "./export-run.ts";
export type { ExportedFile, ExportedRun } from "./exported-run.ts";
export { type ImportInput, type ImportResult, importFile } from "./import-file.ts";
export {
  type ImportedDistribution,
  type ImportedRun,
  type ImportedSummary,
  type ImportFormat,
  type ImportLimits,
  importFormats,
  importLimitsDefault,
} from "./imported-run.ts";
export type { ImportRefusal, RefusalReason } from "./refusal.ts";
