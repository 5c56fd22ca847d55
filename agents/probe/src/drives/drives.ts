/**
 * The drives of this machine that may be measured, as a file tells them:
 *
 *     [{ "node": "stash-1", "device": "s0", "folder": "/srv/ssd0" }]
 *
 * The agent of a stash or a pod runs no jobs, so a probe beside it writes to the same drive: `folder` is any folder on it.
 * How fast it syncs may be measured at any time. Plans measure it only with a `benchmark`, whose labels are what drives
 * are compared by:
 *
 *     "benchmark": { "provider": "aws", "volumeType": "gp3", "pricePerMonth": 8 }
 *
 * `besideVault: true` says that a stash or pod may store on it. `modelledBucket` puts a limit in front of it, for trials.
 */
import { readFile, stat, statfs } from "node:fs/promises";
import {
  type DriveLabels,
  driveLabelsSchema,
  type MeasurableDrive,
  modelledBucketSchema,
} from "@stashlight/contracts/disk/drive";
import { probeDriveSchema, probeDrivesMax, type ToldDrive } from "@stashlight/contracts/probe/fsync";
import { z } from "zod";
import { ArgumentError } from "../arguments.ts";
import { hostLabels } from "./host-labels.ts";

const benchmarkSchema = driveLabelsSchema.partial().extend({
  besideVault: z.boolean().default(false),
  modelledBucket: modelledBucketSchema.nullable().default(null),
});

const fileSchema = z
  .array(
    probeDriveSchema.extend({
      folder: z.string().min(1),
      benchmark: benchmarkSchema.nullable().default(null),
    }),
  )
  .max(probeDrivesMax)
  .refine(
    (drives) => new Set(drives.map(({ node, device }) => `${node}/${device}`)).size === drives.length,
    "A drive of a node stands in the file once",
  );

type FileBenchmark = NonNullable<z.output<typeof fileSchema>[number]["benchmark"]>;

export interface DriveFolder {
  readonly node: string;
  readonly device: string;
  readonly folder: string;
  /** Null where plans may not measure it. */
  readonly benchmark:
    | (Pick<FileBenchmark, "besideVault" | "modelledBucket"> & { readonly labels: DriveLabels })
    | null;
}

/** Throws an ArgumentError if the file cannot be read, or names a folder that is none. */
export async function readDrives(path: string, readHostLabels = hostLabels): Promise<DriveFolder[]> {
  const drives = parse(path, await readText(path));
  const ofHost = await readHostLabels();
  return Promise.all(
    drives.map(async ({ node, device, folder, benchmark }): Promise<DriveFolder> => {
      const isFolder = await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) throw new ArgumentError(`--drives: the folder of ${device}, ${folder}, is no folder.`);
      if (benchmark === null) return { node, device, folder, benchmark };
      const { besideVault, modelledBucket, ...labelled } = benchmark;
      const said = Object.fromEntries(Object.entries(labelled).filter(([, value]) => value !== null));
      const { blocks, bsize } = await statfs(folder);
      const labels = driveLabelsSchema.parse({ ...ofHost, sizeBytes: blocks * bsize || null, ...said });
      return { node, device, folder, benchmark: { besideVault, modelledBucket, labels } };
    }),
  );
}

/** What the console is told: the folder stays here. */
export function toldDrive({ node, device, benchmark }: DriveFolder): ToldDrive {
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
    throw new ArgumentError(`--drives: ${path} is no JSON.`);
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ArgumentError(`--drives: ${path}, ${issue?.path.join(".") || "all of it"}: ${issue?.message}`);
}
