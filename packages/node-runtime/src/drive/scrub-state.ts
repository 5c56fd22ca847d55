/** State of a drive's scrub that is kept across restarts: the position of its round, and the end of the last one. */
import { readFileSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const FILE = "scrub";

const count = z.int().min(0);
const roundSchema = z.strictObject({
  startedMs: z.int(),
  /** Segments of lower generations have been verified. */
  generation: count,
  /**
   * Segments of this generation and later ones are not part of the round, because they are newer; null until the drive
   * is open.
   */
  endGeneration: count.nullable(),
  records: count,
  bytes: count,
  /** Number of records newly found to fail their checksum. */
  corrupt: count,
  unreadable: count,
  /** Number of corrupt records that were repaired during the round, including those found earlier. */
  repaired: count,
});

const stateSchema = z.strictObject({
  formatVersion: z.literal(1),
  driveId: z.string(),
  /** A drive counts as verified when it is opened for the first time, because it is empty then. */
  firstOpenedMs: z.int(),
  round: roundSchema,
  /** Set for a requested round. */
  demand: z.strictObject({ bytesPerSecond: z.number().positive() }).nullable(),
  /** The scheduled round that resumes if the requested one is stopped. */
  setAside: roundSchema.nullable(),
  last: roundSchema.extend({ endedMs: z.int() }).nullable(),
  /** Totals over all rounds since the drive was first opened, or since agents began to count. */
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

/**
 * Starts a new round if the file is missing, damaged or another drive's: nothing but the record of past rounds is lost.
 */
export function readScrubState(folder: string, driveId: string, nowMs: number): ScrubState {
  try {
    const state = stateSchema.parse(JSON.parse(readFileSync(join(folder, FILE), "utf8")));
    if (state.driveId === driveId) return state;
  } catch {
    // Verifying the drive again is the right response to any problem with the file.
  }
  return newState(driveId, nowMs);
}

/** Writes atomically and durably a file that only its owner may read. Rejects if the folder cannot be written. */
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
