/**
 * Drives of this machine that may be measured, from a file:
 *
 *     [{ "node": "stash-1", "device": "s0", "folder": "/srv/ssd0" }]
 *
 * The agent of a stash or a pod runs no jobs, so a probe beside it writes to the same drive: `folder` is any folder on
 * it. Its sync speed may be measured at any time. Plans measure it only with a `benchmark`, whose labels serve to
 * compare drives:
 *
 *     "benchmark": { "provider": "aws", "volumeType": "gp3", "pricePerMonth": 8 }
 *
 * A drive without a file system has `"rawDevice": "/dev/nvme1n1"` in place of the folder. Plans write to the device
 * itself, so it has to be empty, and it always needs a `benchmark`.
 *
 * `besideVault: true` declares that a stash or pod may store data on the drive. `modelledBucket` limits the drive's
 * rate, for trials.
 */
import { readFile, stat, statfs } from "node:fs/promises";
import {
  type DriveLabels,
  driveLabelsSchema,
  type MeasurableDrive,
  modelledBucketSchema,
} from "@stashlight/contracts/disk";
import { probeDriveSchema, probeDrivesMax, type ReportedDrive } from "@stashlight/contracts/probe";
import type { DrivePlace } from "@stashlight/disk-benchmark";
import { deviceSizeBytes } from "@stashlight/disk-benchmark/block-device";
import { z } from "zod";
import { ArgumentError } from "../arguments.ts";
import { hostLabels } from "./host-labels.ts";

const benchmarkSchema = driveLabelsSchema.partial().extend({
  besideVault: z.boolean().default(false),
  modelledBucket: modelledBucketSchema.nullable().default(null),
});

const fileSchema = z
  .array(
    probeDriveSchema
      .extend({
        folder: z.string().min(1).optional(),
        rawDevice: z.string().startsWith("/dev/", "A raw device is a path below /dev").optional(),
        benchmark: benchmarkSchema.nullable().default(null),
      })
      .refine(
        ({ folder, rawDevice }) => (folder === undefined) !== (rawDevice === undefined),
        "A drive has either a folder or a rawDevice",
      )
      .refine(
        ({ rawDevice, benchmark }) => rawDevice === undefined || benchmark !== null,
        "Only plans can measure a raw device, so it needs a benchmark",
      ),
  )
  .max(probeDrivesMax)
  .refine(
    (drives) => new Set(drives.map(({ node, device }) => `${node}/${device}`)).size === drives.length,
    "A node's drive may be in the file only once",
  );

type FileBenchmark = NonNullable<z.output<typeof fileSchema>[number]["benchmark"]>;

export interface OfferedDrive {
  readonly node: string;
  readonly device: string;
  readonly place: DrivePlace;
  /** Null if plans may not measure it. */
  readonly benchmark:
    | (Pick<FileBenchmark, "besideVault" | "modelledBucket"> & { readonly labels: DriveLabels })
    | null;
}

/** Throws an ArgumentError if the file cannot be read, or names a path that is not a folder. */
export async function readDrives(path: string, readHostLabels = hostLabels): Promise<OfferedDrive[]> {
  const drives = parse(path, await readText(path));
  const ofHost = await readHostLabels();
  return Promise.all(
    drives.map(async ({ node, device, benchmark, ...where }): Promise<OfferedDrive> => {
      const { place, sizeBytes } = await findPlace(device, where);
      if (benchmark === null) return { node, device, place, benchmark };
      const { besideVault, modelledBucket, ...labelled } = benchmark;
      const said = Object.fromEntries(Object.entries(labelled).filter(([, value]) => value !== null));
      const labels = driveLabelsSchema.parse({ ...ofHost, sizeBytes, ...said });
      return { node, device, place, benchmark: { besideVault, modelledBucket, labels } };
    }),
  );
}

/** Does not check that a raw device is empty, because each measurement does. */
async function findPlace(
  name: string,
  { folder, rawDevice }: { folder?: string | undefined; rawDevice?: string | undefined },
): Promise<{ place: DrivePlace; sizeBytes: number | null }> {
  const path = folder ?? rawDevice ?? "";
  const found = await stat(path).catch(() => null);
  if (rawDevice !== undefined) {
    if (found?.isBlockDevice() !== true)
      throw new ArgumentError(`--drives: the raw device of ${name}, ${path}, is not a block device.`);
    return { place: { kind: "device", device: path }, sizeBytes: deviceSizeBytes(path) };
  }
  if (found?.isDirectory() !== true)
    throw new ArgumentError(`--drives: the folder of ${name}, ${path}, is not a folder.`);
  const { blocks, bsize } = await statfs(path);
  return { place: { kind: "folder", folder: path }, sizeBytes: blocks * bsize || null };
}

/** Report for the console, without the path. */
export function toldDrive({ node, device, benchmark }: OfferedDrive): ReportedDrive {
  const measurable: MeasurableDrive | null =
    benchmark === null ? null : { labels: benchmark.labels, isModelled: benchmark.modelledBucket !== null };
  return { node, device, benchmark: measurable };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ArgumentError(`--drives: ${path} cannot be read: ${(error as Error).message}.`);
  }
}

function parse(path: string, text: string): z.output<typeof fileSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArgumentError(`--drives: ${path} is not valid JSON.`);
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ArgumentError(`--drives: ${path}, ${issue?.path.join(".") || "all of it"}: ${issue?.message}`);
}
