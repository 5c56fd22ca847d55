import type { BenchmarkOperation } from "@stashlight/contracts/sample";

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

/** Histogram computed by a tool: the number of operations at each latency, or the number of segments with each mean. */
export interface ImportedDistribution {
  readonly label: string;
  /** Segments are parts of the run of about a second, each with the mean of its operations. */
  readonly of: "operations" | "segments";
  readonly operation: BenchmarkOperation;
  /** Null if missing in the file. */
  readonly sizeBytes: number | null;
  /** Midpoints of the tool's bins in ascending order, each with its number of operations or segments. */
  readonly bins: readonly (readonly [midpointMs: number, count: number])[];
}

/** Figures computed by a tool that did not keep the samples. Figures missing in the file are absent. */
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
  /** Keyed by parts per million, ascending. */
  readonly percentilesMs?: readonly (readonly [perMillion: number, valueMs: number])[];
  readonly bytesPerSecond?: number;
  readonly operationsPerSecond?: number;
  /** Size of the file that was read or written, for tools that vary it. */
  readonly fileBytes?: number;
  /** True if its percentiles are means of percentiles over parts of the samples. */
  readonly isApproximate: boolean;
}

/**
 * Content of a file apart from its samples, which are passed on one by one. Some tools keep samples, others only
 * distributions or figures.
 */
export interface ImportedRun {
  readonly format: ImportFormat;
  /** Name of the run in the file, or else the file's own name. */
  readonly name: string;
  /** Tool that measured, with its version if the file names it. */
  readonly tool: string;
  /** Null if the file has no times. */
  readonly startedAtMs: number | null;
  /** Other facts in the file about the run: command line, options. */
  readonly details: Readonly<Record<string, string>>;
  /** Number of connections of each leg, by leg number; empty if the file lacks it. */
  readonly connectionCounts: readonly number[];
  readonly sampleCount: number;
  readonly distributions: readonly ImportedDistribution[];
  readonly summaries: readonly ImportedSummary[];
  /** Sentences about omissions and unknowns. */
  readonly notes: readonly string[];
}

/** Result of the reader of one format; the importer adds the rest. */
export type ReadRun = Partial<Omit<ImportedRun, "format" | "sampleCount">> & Pick<ImportedRun, "tool">;

export interface ImportLimits {
  readonly fileBytesMax: number;
  /** Limit on its decompressed text. */
  readonly textBytesMax: number;
  /** Limit on the text of a format that is read completely, whose values take about ten times as much memory. */
  readonly wholeTextLengthMax: number;
  /** Limit on samples, bins and summaries together, and for table rows. */
  readonly rowsMax: number;
}

const MIB = 2 ** 20;

export const importLimitsDefault: ImportLimits = {
  fileBytesMax: 64 * MIB,
  textBytesMax: 250_000_000,
  wholeTextLengthMax: 32 * MIB,
  rowsMax: 1_000_000,
};
