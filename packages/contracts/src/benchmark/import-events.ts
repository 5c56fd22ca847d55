/** Progress events of an import, kept apart from the inputs because browsers need them without their schemas. */
import type { ImportedBenchmarkRun } from "./result.ts";

export interface BenchmarkImportProgress {
  stage: "reading" | "storing";
  /** Share of the file that was read, 0 to 1. */
  readShare: number;
  sampleCount: number;
}

/** One line of a streamed import answer: progress first, then the result or the reason for the failure. */
export type BenchmarkImportEvent =
  | { type: "progress"; progress: BenchmarkImportProgress }
  | { type: "imported"; imported: ImportedBenchmarkRun }
  | { type: "refused"; message: string };

/** Value of the `accept` header that requests a streamed answer. */
export const importEventsType = "application/x-ndjson";
