import { textPieces } from "./decompress.ts";
import { isFioJson, readFio } from "./fio.ts";
import { fioLogReader, isFioLog } from "./fio-log.ts";
import {
  type ImportedRun,
  type ImportFormat,
  type ImportLimits,
  importLimitsDefault,
} from "./imported-run.ts";
import { isIozone, readIozone } from "./iozone.ts";
import { isK6, k6Reader } from "./k6.ts";
import { isOwnCsv, isOwnJson, ownCsvReader, ownJsonReader } from "./own.ts";
import { isPerfkit, perfkitReader } from "./perfkit.ts";
import { type ImportRefusal, RefusedFile } from "./refusal.ts";
import { type TakeSample, type TextReader, wholeTextReader } from "./text-reader.ts";
import { isWarpCsv, warpCsvReader } from "./warp-csv.ts";
import { isWarpJson, readWarpJson } from "./warp-json.ts";

interface Format {
  readonly format: ImportFormat;
  /** Identifies the format by the beginning of the text, because file names are unreliable. */
  readonly reads: (head: string) => boolean;
  readonly open: (limits: ImportLimits, take: TakeSample, fileName: string) => TextReader;
}

const formats: readonly Format[] = [
  { format: "stashlight-json", reads: isOwnJson, open: ownJsonReader },
  { format: "warp-csv", reads: isWarpCsv, open: warpCsvReader },
  { format: "k6-json", reads: isK6, open: k6Reader },
  { format: "perfkit-json", reads: isPerfkit, open: perfkitReader },
  {
    format: "warp-json",
    reads: isWarpJson,
    open: (limits) => wholeTextReader(limits, (text) => readWarpJson(text, limits)),
  },
  {
    format: "fio-json",
    reads: isFioJson,
    open: (limits) => wholeTextReader(limits, (text) => readFio(text, limits)),
  },
  {
    format: "fio-log",
    reads: isFioLog,
    open: (limits, take, fileName) => fioLogReader(fileName, limits, take),
  },
  { format: "stashlight-csv", reads: isOwnCsv, open: ownCsvReader },
  {
    format: "iozone",
    reads: isIozone,
    open: (limits) => wholeTextReader(limits, (text) => readIozone(text, limits)),
  },
];

export type ImportResult =
  | { readonly ok: true; readonly run: ImportedRun }
  | { readonly ok: false; readonly refusal: ImportRefusal };

export interface ImportInput {
  /** Name of the file, for a run without a name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly limits?: Partial<ImportLimits>;
  /** Accepts a file without samples and figures, because a run that failed at its start counts in success rates. */
  readonly mayBeEmpty?: boolean;
}

export interface ImportProgress {
  /** Share of the file that was read, 0 to 1. */
  readonly readShare: number;
  readonly sampleCount: number;
}

export interface ImportOutlet {
  /** Called for each sample, in the file's order. After a refusal the caller discards them. */
  readonly take: TakeSample;
  /** Called after each piece of the file. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

const NAME_MAX = 200;
/** Log lines may precede fio's JSON and iozone's table. */
const HEAD_LENGTH = 2 ** 20;

/**
 * Reads a run from a file in any of the formats, plain or compressed with zstd or gzip, identified by content;
 * otherwise throws a refusal. Formats with one line per sample are read piece by piece, with only one piece in memory.
 * A file is read completely or not at all: one invalid value causes a refusal. Reading takes seconds, so servers do it
 * on a separate thread.
 */
export async function importFile(
  { limits, ...input }: ImportInput,
  outlet: ImportOutlet,
): Promise<ImportResult> {
  try {
    return { ok: true, run: await readRun(input, { ...importLimitsDefault, ...limits }, outlet) };
  } catch (error) {
    if (error instanceof RefusedFile) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

async function readRun(
  { name: fileName, bytes, mayBeEmpty = false }: Omit<ImportInput, "limits">,
  limits: ImportLimits,
  { take, onProgress }: ImportOutlet,
): Promise<ImportedRun> {
  const told = { sampleCount: 0, startedAtMs: Number.POSITIVE_INFINITY };
  const counted: TakeSample = (sample) => {
    told.sampleCount += 1;
    told.startedAtMs = Math.min(told.startedAtMs, sample.startedAtMs);
    take(sample);
  };
  let head = "";
  let opened: { format: ImportFormat; reader: TextReader } | null = null;
  for await (const { text, fileBytesRead } of textPieces(bytes, limits)) {
    if (opened !== null) opened.reader.push(text);
    else {
      head += text;
      if (head.length >= HEAD_LENGTH) opened = openReader(head, fileName, limits, counted);
    }
    onProgress?.({ readShare: fileBytesRead / bytes.length, sampleCount: told.sampleCount });
  }
  const { format, reader } = opened ?? openReader(head, fileName, limits, counted);
  const { distributions = [], summaries = [], ...read } = reader.end();
  if (!mayBeEmpty && told.sampleCount + distributions.length + summaries.length === 0) {
    throw new RefusedFile("nothing-in-it", "The file has no sample and no figure that could be read.");
  }
  return {
    format,
    name: (read.name ?? fileName).slice(0, NAME_MAX),
    tool: read.tool,
    // A reader returns null if the samples' times are not clock times.
    startedAtMs:
      read.startedAtMs === undefined && told.sampleCount > 0 ? told.startedAtMs : (read.startedAtMs ?? null),
    details: read.details ?? {},
    connectionCounts: read.connectionCounts ?? [],
    sampleCount: told.sampleCount,
    distributions,
    summaries,
    notes: read.notes ?? [],
  };
}

function openReader(head: string, fileName: string, limits: ImportLimits, take: TakeSample) {
  if (head.trim() === "") throw new RefusedFile("nothing-in-it", "The file is empty.");
  const found = formats.find(({ reads }) => reads(head));
  if (found === undefined) {
    throw new RefusedFile(
      "unknown-format",
      "The file's format is not one of: Stashlight's JSON or CSV, warp's .csv.zst or .json.zst, fio's JSON or logs, iozone's table, k6's JSON lines, PerfKitBenchmarker's JSON lines.",
    );
  }
  const reader = found.open(limits, take, fileName);
  reader.push(head);
  return { format: found.format, reader };
}
