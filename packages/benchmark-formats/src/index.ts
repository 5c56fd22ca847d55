export { type ExportFormat, exportRun } from "./export-run.ts";
export type { ExportedFile, ExportedRun } from "./exported-run.ts";
export * from "./import-file.ts";
export type {
  ImportedDistribution,
  ImportedRun,
  ImportedSummary,
  ImportFormat,
  ImportLimits,
} from "./imported-run.ts";
export type { ImportRefusal, RefusalReason } from "./refusal.ts";
export { SeenConnections } from "./seen-connections.ts";
