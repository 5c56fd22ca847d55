/** Export formats of a run. */
export const benchmarkExportFormats = [
  "json",
  "csv",
  "warp",
  "hgrm",
  "openmetrics",
  "fio",
  "iozone",
] as const;
export type BenchmarkExportFormat = (typeof benchmarkExportFormats)[number];

/** Formats of tools that measure drives; a run on an object store has none. */
export const driveExportFormats: readonly BenchmarkExportFormat[] = ["fio", "iozone"];
