/** State of a drive's scrub that outlives a restart: the position of its round, and when the last one ended. */
import { readFileSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const FILE = "scrub";

const count = z.int().min(0);
const roundSchema = z.strictObject({
  startedMs: z.int(),
  /** Segments of lower generations are verified. */
  generation: count,
  /** Later ones were begun after the round, and are not part of it; null until the drive is open. */
  endGeneration: count.nullable(),
  records: count,
  bytes: count,
  /** Records newly found to fail their checksum. */
  corrupt: count,
  unreadable: count,
  /** Records that were appended again meanwhile, whenever they were found. */
  repaired: count,
});

const stateSchema = z.strictObject({
  formatVersion: z.literal(1),
  driveId: z.string(),
  /** The data of a drive counts as verified when it is opened for the first time, which is before it has any. */
  firstOpenedMs: z.int(),
  round: roundSchema,
  /** The round was asked for. */
  demand: z.strictObject({ bytesPerSecond: z.number().positive() }).nullable(),
  /** The scheduled round that goes on if the one that was asked for is stopped. */
  setAside: roundSchema.nullable(),
  last: roundSchema.extend({ endedMs: z.int() }).nullable(),
  /** Sums over all rounds since the drive was opened first, or since agents keep them. */
  total: z.strictObject({ bytes: count, corrupt: count }).default({ bytes: 0, corrupt: 0 }),
});

export type ScrubRound = z.infer<typeof roundSchema>;
export type ScrubState = z.infer<typeof stateSchema>;

export const newRound = (startedMs: number): ScrubRound => ({
  startedMs: Math.floor(startedMs),
  generation: 0,
  endGeneration: null,
  records: 0,
  bytes: 0,
  corrupt: 0,
  unreadable: 0,
  repaired: 0,
});

const newState = (driveId: string, nowMs: number): ScrubState => ({
  formatVersion: 1,
  driveId,
  firstOpenedMs: Math.floor(nowMs),
  round: newRound(nowMs),
  demand: null,
  setAside: null,
  last: null,
  total: { bytes: 0, corrupt: 0 },
});

/** A file that is missing, damaged or another drive's begins a new round: nothing is lost but the record of past ones. */
export function readScrubState(folder: string, driveId: string, nowMs: number): ScrubState {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(join(folder, FILE), "utf8")));
    if (state.driveId === driveId) return state;
  } catch {
    // Verifying the drive once more is right, whatever is wrong with the file.
  }
  return newState(driveId, nowMs);
}

/** Atomic and durable; only its owner may read it. Rejects when the folder cannot be written. */
export async function writeScrubState(folder: string, state: ScrubState): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, `${FILE}.partial`);
  await rm(partial, { force: true });
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(state)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, join(folder, FILE));
}
