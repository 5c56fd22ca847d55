/**
 * The drives of this machine whose syncs may be measured, as a file tells them:
 *
 *     [{ "node": "stash-1", "device": "s0", "folder": "/srv/ssd0" }]
 *
 * The agent of a stash or a pod runs no jobs, so a probe beside it writes to the same drive: `folder` is any folder on it.
 */
import { readFile, stat } from "node:fs/promises";
import { probeDriveSchema, probeDrivesMax } from "@stashlight/contracts/probe/fsync";
import { z } from "zod";
import { ArgumentError } from "../arguments.ts";

const fileSchema = z.array(probeDriveSchema.extend({ folder: z.string().min(1) })).max(probeDrivesMax);

export type DriveFolder = z.infer<typeof fileSchema>[number];

export async function readDrives(path: string): Promise<DriveFolder[]> {
  const drives = parse(path, await readText(path));
  for (const { device, folder } of drives) {
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new ArgumentError(`--drives: the folder of ${device}, ${folder}, is no folder.`);
  }
  return drives;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ArgumentError(`--drives: ${path} cannot be read: ${(error as Error).message}.`);
  }
}

function parse(path: string, text: string): DriveFolder[] {
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
