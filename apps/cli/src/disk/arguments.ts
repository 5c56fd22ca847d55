/** Parses the arguments of `stashlight disk ...`. */
import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import type { parseArgs } from "node:util";
import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import { type DrivePlace, type SweepPreset, sweepPresets } from "@stashlight/disk-benchmark";
import { parseInteger } from "../argument-values.ts";
import { formatSize, parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

export interface BucketArguments {
  readonly burst: number;
  readonly base: number;
  readonly tokens: number;
}

/** Arguments of both methods. */
export interface DiskCommon {
  readonly place: DrivePlace;
  readonly fileBytes: number;
  readonly writtenBytesMax: number;
  readonly isDirect: boolean;
  readonly isBesideVault: boolean;
  readonly tool: (typeof tools)[number];
  /** Limits the drive, for trials. */
  readonly bucket: BucketArguments | null;
  readonly seed: number;
  /** File for all values; null for none. */
  readonly output: string | null;
  readonly isEstimate: boolean;
}

/** One file of `--output`, whose host belongs to a group such as a provider. */
export interface RunArgument {
  readonly group: string;
  readonly host: string;
  readonly path: string;
}

export interface CompareCommand {
  readonly name: "disk-compare";
  readonly runs: readonly RunArgument[];
}

export type DiskCommand =
  | (DiskCommon & {
      readonly name: "disk-check";
      readonly seconds: number;
      readonly queueDepth: number;
      /** Repeats the check after this long without load; null checks once. */
      readonly restSeconds: number | null;
    })
  | (DiskCommon & { readonly name: "disk-sweep"; readonly preset: SweepPreset });

const presets = Object.keys(sweepPresets) as SweepPreset[];
const tools = ["auto", "fio", "stashlight"] as const;

const flag = { type: "boolean", default: false } as const;
const common = {
  help: { type: "boolean", short: "h", default: false },
  folder: { type: "string" },
  "raw-device": { type: "string" },
  "file-size": { type: "string", default: "1GiB" },
  "max-written": { type: "string", default: "200GiB" },
  "model-bucket": { type: "string" },
  tool: { type: "string", default: "auto" },
  seed: { type: "string" },
  output: { type: "string" },
  buffered: flag,
  "beside-vault": flag,
  estimate: flag,
} as const;

export const declaredDisk = {
  check: {
    ...common,
    seconds: { type: "string", default: "60" },
    "queue-depth": { type: "string", default: "64" },
    rest: { type: "string" },
  },
  sweep: { ...common, preset: { type: "string", default: "quick" } },
  compare: { help: common.help, run: { type: "string", multiple: true } },
} as const;

type Values<Verb extends keyof typeof declaredDisk> = ReturnType<
  typeof parseArgs<{ options: (typeof declaredDisk)[Verb] }>
>["values"];

const SECONDS_MAX = DAY_SECONDS;
const QUEUE_DEPTH_MAX = 1_024;
const SEED_MAX = 999_999_999;
const FILE_BYTES_MIN = 64 * 1_048_576;
const FILE_BYTES_MAX = 16 * 1_024 ** 4;
const PAGE_BYTES = 16 * 1_048_576;

export function readCheck(values: Values<"check">, currentDirectory: string): DiskCommand {
  return {
    name: "disk-check",
    ...readCommon(values, currentDirectory),
    seconds: parseInteger("--seconds", values.seconds, SECONDS_MAX),
    queueDepth: parseInteger("--queue-depth", values["queue-depth"], QUEUE_DEPTH_MAX),
    restSeconds: values.rest === undefined ? null : parseInteger("--rest", values.rest, SECONDS_MAX),
  };
}

export function readSweep(values: Values<"sweep">, currentDirectory: string): DiskCommand {
  const preset = presets.find((each) => each === values.preset);
  if (preset === undefined) {
    throw new UsageError(`--preset must be ${presets.join(" or ")}, and "${values.preset}" is not.`);
  }
  return { name: "disk-sweep", ...readCommon(values, currentDirectory), preset };
}

export function readCompare({ run = [] }: Values<"compare">, currentDirectory: string): CompareCommand {
  const runs = run.map((text): RunArgument => {
    const [, group, host, file] = /^([^/=]{1,60})\/([^/=]{1,60})=(.+)$/s.exec(text) ?? [];
    if (group === undefined || host === undefined || file === undefined) {
      throw new UsageError(
        `--run must be a group, a host and a file of disk --output, such as aws/host1=host1.json, and "${text}" is not.`,
      );
    }
    return { group, host, path: resolve(currentDirectory, file) };
  });
  if (new Set(runs.map(({ group }) => group)).size < 2) {
    throw new UsageError(
      "Two groups are compared at least, such as: --run aws/host1=a.json --run gcp/host2=b.json.",
    );
  }
  return { name: "disk-compare", runs };
}

function readCommon(values: Values<"check"> | Values<"sweep">, currentDirectory: string): DiskCommon {
  const { seed, output } = values;
  const tool = tools.find((each) => each === values.tool);
  if (tool === undefined) {
    throw new UsageError(`--tool must be ${tools.join(", ")}, and "${values.tool}" is not.`);
  }
  // The file must hold a whole number of blocks of up to 16 MiB.
  const fileBytes = Math.floor(parseFileBytes("--file-size", values["file-size"]) / PAGE_BYTES) * PAGE_BYTES;
  return {
    place: parsePlace(values, currentDirectory),
    fileBytes,
    writtenBytesMax: parseFileBytes("--max-written", values["max-written"]),
    isDirect: !values.buffered,
    isBesideVault: values["beside-vault"],
    tool,
    bucket: values["model-bucket"] === undefined ? null : parseTokenBucket(values["model-bucket"]),
    seed: seed === undefined ? randomInt(SEED_MAX) : parseInteger("--seed", seed, SEED_MAX),
    output: output === undefined ? null : resolve(currentDirectory, output),
    isEstimate: values.estimate,
  };
}

function parsePlace(values: Values<"check"> | Values<"sweep">, currentDirectory: string): DrivePlace {
  const { folder, "raw-device": device } = values;
  if (device !== undefined) {
    if (folder === undefined && device.startsWith("/dev/")) return { kind: "device", device };
    throw new UsageError("--raw-device must be an empty device below /dev, without --folder.");
  }
  if (folder === undefined || folder.trim() === "") {
    throw new UsageError("--folder must be a folder on the drive that is to be measured.");
  }
  return { kind: "folder", folder: resolve(currentDirectory, folder) };
}

function parseFileBytes(name: string, text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null && bytes >= FILE_BYTES_MIN && bytes <= FILE_BYTES_MAX) return bytes;
  throw new UsageError(
    `${name} must be from ${formatSize(FILE_BYTES_MIN).replace(" ", "")} to 16384GiB, such as 4GiB, and "${text}" is not.`,
  );
}

/** "3000/300/5400000": requests per second in a burst, without it, and the tokens of the bucket. */
function parseTokenBucket(text: string): BucketArguments {
  const [, burst, base, tokens] = /^(\d{1,7})\/(\d{1,7})\/(\d{1,12})$/.exec(text) ?? [];
  const bucket = { burst: Number(burst), base: Number(base), tokens: Number(tokens) };
  if (bucket.burst > bucket.base && bucket.base > 0) return bucket;
  throw new UsageError(
    `--model-bucket must be IOPS in a burst, fewer IOPS after it and the bucket's I/Os, such as 3000/300/54000, and "${text}" is not.`,
  );
}
