import type { BenchmarkOperation } from "@stashlight/contracts/benchmark/sample";

const importFormats = [
  "stashlight-json",
  "stashlight-csv",
  "warp-csv",
  "warp-json",
  "fio-json",
  "fio-log",
  "iozone",
  "k6-json",
  "perfkit-json",
] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A histogram that a tool made: how many operations took about so long, or how many parts of the run did on average. */
export interface ImportedDistribution {
  readonly label: string;
  /** Segments are parts of the run of about a second, each with the mean of its operations. */
  readonly of: "operations" | "segments";
  readonly operation: BenchmarkOperation;
  /** Null when the file does not say. */
  readonly sizeBytes: number | null;
  /** Midpoints of the tool's bins, rising, and how many operations or segments each has. */
  readonly bins: readonly (readonly [midpointMs: number, count: number])[];
}

/** Figures that a tool computed, of which the samples are gone. What the file does not say is absent. */
export interface ImportedSummary {
  readonly label: string;
  readonly operation: BenchmarkOperation;
  readonly sizeBytes: number | null;
  readonly operationCount?: number;
  readonly failureCount?: number;
  readonly meanMs?: number;
  readonly sdMs?: number;
  readonly minMs?: number;
  readonly maxMs?: number;
  /** By parts per million, rising. */
  readonly percentilesMs?: readonly (readonly [perMillion: number, valueMs: number])[];
  readonly bytesPerSecond?: number;
  readonly operationsPerSecond?: number;
  /** The size of the file that was read or written, for tools that vary it. */
  readonly fileBytes?: number;
  /** Its percentiles are not those of the samples, but means of percentiles of parts of them. */
  readonly isApproximate: boolean;
}

/**
 * The content of a file apart from its samples, which are passed on one by one. Some tools keep samples, others only
 * distributions or figures.
 */
export interface ImportedRun {
  readonly format: ImportFormat;
  /** As the file calls the run, else the file's own name. */
  readonly name: string;
  /** The tool that measured, with its version if the file says it. */
  readonly tool: string;
  /** Null when the file has no times. */
  readonly startedAtMs: number | null;
  /** What else the file says of the run: command line, options. */
  readonly details: Readonly<Record<string, string>>;
  /** Over how many connections each leg went, by the leg's number; empty where the file does not say. */
  readonly connectionCounts: readonly number[];
  readonly sampleCount: number;
  readonly distributions: readonly ImportedDistribution[];
  readonly summaries: readonly ImportedSummary[];
  /** What was left out or is not known, in sentences. */
  readonly notes: readonly string[];
}

/** What a reader of one format gives; the door adds the rest. */
export type ReadRun = Partial<Omit<ImportedRun, "format" | "sampleCount">> & Pick<ImportedRun, "tool">;

export interface ImportLimits {
  /** The limit for the file as it is. */
  readonly fileBytesMax: number;
  /** The limit for its text when decompressed. */
  readonly textBytesMax: number;
  /** The limit for the text of a format that is read as a whole, whose values take about ten times as much memory. */
  readonly wholeTextLengthMax: number;
  /** Samples, bins and summaries together, and lines of tables. */
  readonly rowsMax: number;
}

const MIB = 2 ** 20;

export const importLimitsDefault: ImportLimits = {
  fileBytesMax: 64 * MIB,
  textBytesMax: 250_000_000,
  wholeTextLengthMax: 32 * MIB,
  rowsMax: 1_000_000,
};
