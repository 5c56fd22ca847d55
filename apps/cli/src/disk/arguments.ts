/** Parses the arguments of `disk ...`. All throw a UsageError. */
import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { DAY_SECONDS } from "@stashlight/contracts/time";
import { type DrivePlace, type SweepPreset, sweepPresets } from "@stashlight/disk-benchmark";
import { parseInteger, SEED_MAX, type Surroundings } from "../argument-values.ts";
import { flag, parseOptions, text, texts } from "../parse-options.ts";
import { formatSize, parseSize } from "../units.ts";
import { UsageError } from "../usage-error.ts";

export type DiskCommand = ReturnType<typeof parseCheck> | ReturnType<typeof parseSweep>;
export type CompareCommand = ReturnType<typeof parseCompare>;

const presets = Object.keys(sweepPresets) as SweepPreset[];
const tools = ["auto", "fio", "stashlight"] as const;

const QUEUE_DEPTH_MAX = 1_024;
const FILE_BYTES_MIN = 64 * 1_048_576;
const FILE_BYTES_MAX = 16 * 1_024 ** 4;
const PAGE_BYTES = 16 * 1_048_576;

const common = {
  folder: text,
  "raw-device": text,
  "file-size": { type: "string", default: "1GiB" },
  "max-written": { type: "string", default: "200GiB" },
  "model-bucket": text,
  tool: { type: "string", default: "auto" },
  seed: text,
  output: text,
  buffered: flag,
  "beside-vault": flag,
  estimate: flag,
} as const;

export function parseDisk([verb, ...args]: readonly string[], surroundings: Surroundings) {
  if (verb === "check") return parseCheck(args, surroundings);
  if (verb === "sweep") return parseSweep(args, surroundings);
  if (verb === "compare") return parseCompare(args, surroundings);
  throw new UsageError(
    "Choose disk check, disk sweep or disk compare, such as: npm run stashlight -- disk check --folder /srv/ssd0.",
  );
}

function parseCheck(args: readonly string[], { currentDirectory }: Surroundings) {
  const options = {
    ...common,
    seconds: { type: "string", default: "60" },
    "queue-depth": { type: "string", default: "64" },
    rest: text,
  } as const;
  const { values } = parseOptions({ args, options });
  return {
    name: "disk-check",
    ...parseCommon(values, currentDirectory),
    seconds: parseInteger("--seconds", values.seconds, DAY_SECONDS),
    queueDepth: parseInteger("--queue-depth", values["queue-depth"], QUEUE_DEPTH_MAX),
    /** Repeats the check after this long without load; null checks once. */
    restSeconds: values.rest === undefined ? null : parseInteger("--rest", values.rest, DAY_SECONDS),
  } as const;
}

function parseSweep(args: readonly string[], { currentDirectory }: Surroundings) {
  const options = { ...common, preset: { type: "string", default: "quick" } } as const;
  const { values } = parseOptions({ args, options });
  const preset = presets.find((each) => each === values.preset);
  if (preset === undefined) {
    throw new UsageError(`--preset must be ${presets.join(" or ")}; got "${values.preset}".`);
  }
  return { name: "disk-sweep", ...parseCommon(values, currentDirectory), preset } as const;
}

function parseCompare(args: readonly string[], { currentDirectory }: Surroundings) {
  const { run = [] } = parseOptions({ args, options: { run: texts } }).values;
  const runs = run.map((text) => parseRun(text, currentDirectory));
  if (new Set(runs.map(({ group }) => group)).size < 2) {
    throw new UsageError("Give at least two groups, such as: --run aws/host1=a.json --run gcp/host2=b.json.");
  }
  return { name: "disk-compare", runs } as const;
}

/** One file of `--output`, whose host belongs to a group such as a provider. */
export type RunArgument = ReturnType<typeof parseRun>;

function parseRun(text: string, currentDirectory: string) {
  const [, group, host, file] = /^([^/=]{1,60})\/([^/=]{1,60})=(.+)$/s.exec(text) ?? [];
  if (group !== undefined && host !== undefined && file !== undefined)
    return { group, host, path: resolve(currentDirectory, file) };
  throw new UsageError(
    `--run must be a group, a host and a file written by disk --output, such as aws/host1=host1.json; got "${text}".`,
  );
}

type CommonValues = ReturnType<typeof parseOptions<{ options: typeof common }>>["values"];

/** Arguments of both methods. */
function parseCommon(values: CommonValues, currentDirectory: string) {
  const { seed, output } = values;
  const tool = tools.find((each) => each === values.tool);
  if (tool === undefined) {
    throw new UsageError(`--tool must be ${tools.join(", ")}; got "${values.tool}".`);
  }
  return {
    place: parsePlace(values, currentDirectory),
    // The file must hold a whole number of blocks of up to 16 MiB.
    fileBytes: Math.floor(parseFileBytes("--file-size", values["file-size"]) / PAGE_BYTES) * PAGE_BYTES,
    writtenBytesMax: parseFileBytes("--max-written", values["max-written"]),
    isDirect: !values.buffered,
    isBesideVault: values["beside-vault"],
    tool,
    /** Limits the drive, for trials. */
    bucket: values["model-bucket"] === undefined ? null : parseTokenBucket(values["model-bucket"]),
    seed: seed === undefined ? randomInt(SEED_MAX) : parseInteger("--seed", seed, SEED_MAX),
    /** File for all values; null for none. */
    output: output === undefined ? null : resolve(currentDirectory, output),
    isEstimate: values.estimate,
  };
}

function parsePlace({ folder, "raw-device": device }: CommonValues, currentDirectory: string): DrivePlace {
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
    `${name} must be from ${formatSize(FILE_BYTES_MIN).replace(" ", "")} to 16384GiB, such as 4GiB; got "${text}".`,
  );
}

/** "3000/300/5400000": requests per second in a burst, without it, and the tokens of the bucket. */
function parseTokenBucket(text: string) {
  const [, burst, base, tokens] = /^(\d{1,7})\/(\d{1,7})\/(\d{1,12})$/.exec(text) ?? [];
  const bucket = { burst: Number(burst), base: Number(base), tokens: Number(tokens) };
  if (bucket.burst > bucket.base && bucket.base > 0) return bucket;
  throw new UsageError(
    `--model-bucket must be IOPS in a burst, fewer IOPS after it and the bucket's I/Os, such as 3000/300/54000; got "${text}".`,
  );
}
