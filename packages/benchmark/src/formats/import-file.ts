import { textOf } from "./decompress.ts";
import { isFioJson, readFio } from "./fio.ts";
import {
  type ImportedRun,
  type ImportFormat,
  type ImportLimits,
  importLimitsDefault,
  type ReadRun,
} from "./imported-run.ts";
import { isIozone, readIozone } from "./iozone.ts";
import { isK6, readK6 } from "./k6.ts";
import { isOwnCsv, isOwnJson, readOwnCsv, readOwnJson } from "./own.ts";
import { type ImportRefusal, RefusedFile } from "./refusal.ts";
import { isWarpCsv, readWarpCsv } from "./warp-csv.ts";
import { isWarpJson, readWarpJson } from "./warp-json.ts";

interface Reader {
  readonly format: ImportFormat;
  /** By the text alone: names say little. */
  readonly reads: (text: string) => boolean;
  readonly read: (text: string, limits: ImportLimits) => ReadRun;
}

const readers: readonly Reader[] = [
  { format: "stashlight-json", reads: isOwnJson, read: readOwnJson },
  { format: "warp-csv", reads: isWarpCsv, read: readWarpCsv },
  { format: "k6-json", reads: isK6, read: readK6 },
  { format: "warp-json", reads: isWarpJson, read: readWarpJson },
  { format: "fio-json", reads: isFioJson, read: readFio },
  { format: "stashlight-csv", reads: isOwnCsv, read: readOwnCsv },
  { format: "iozone", reads: isIozone, read: readIozone },
];

export type ImportResult =
  | { readonly ok: true; readonly run: ImportedRun }
  | { readonly ok: false; readonly refusal: ImportRefusal };

export interface ImportInput {
  /** The file's, for a run that has no name of its own. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly limits?: Partial<ImportLimits>;
}

const NAME_MAX = 200;

/**
 * A run from a file of any of the formats, compressed by zstd or gzip or not, whichever its content says; or why not.
 * All of the file is read or nothing is: one wrong value refuses it. It is work of up to seconds, so servers call it on a
 * thread of its own.
 */
export function importFile({ name, bytes, limits }: ImportInput): ImportResult {
  const within: ImportLimits = {
    fileBytesMax: limits?.fileBytesMax ?? importLimitsDefault.fileBytesMax,
    textBytesMax: limits?.textBytesMax ?? importLimitsDefault.textBytesMax,
    rowsMax: limits?.rowsMax ?? importLimitsDefault.rowsMax,
  };
  try {
    return { ok: true, run: readRun(name, textOf(bytes, within), within) };
  } catch (error) {
    if (error instanceof RefusedFile) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function readRun(fileName: string, text: string, limits: ImportLimits): ImportedRun {
  if (text.trim() === "") throw new RefusedFile("nothing-in-it", "The file is empty.");
  const reader = readers.find(({ reads }) => reads(text));
  if (reader === undefined) {
    throw new RefusedFile(
      "unknown-format",
      "The file is none of: Stashlight's JSON or CSV, warp's .csv.zst or .json.zst, fio's JSON, iozone's table, k6's JSON lines.",
    );
  }
  const { samples = [], distributions = [], summaries = [], ...read } = reader.read(text, limits);
  if (samples.length + distributions.length + summaries.length === 0) {
    throw new RefusedFile("nothing-in-it", "The file has no sample and no figure that could be read.");
  }
  const first = samples.reduce(
    (least, { startedAtMs }) => Math.min(least, startedAtMs),
    Number.POSITIVE_INFINITY,
  );
  return {
    format: reader.format,
    name: (read.name ?? fileName).slice(0, NAME_MAX),
    tool: read.tool,
    startedAtMs: read.startedAtMs ?? (samples.length > 0 ? first : null),
    details: read.details ?? {},
    samples,
    distributions,
    summaries,
    notes: read.notes ?? [],
  };
}
