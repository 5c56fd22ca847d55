/** What a run can be written as. */
export const benchmarkExportFormats = ["json", "csv", "warp", "hgrm", "openmetrics"] as const;
