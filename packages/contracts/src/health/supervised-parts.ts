/**
 * State of the processes that `npm start` keeps running, as it writes it to a file in the data folder. A file, because
 * Postgres and the worker are among these processes.
 */
import { z } from "zod";

export const partsFileName = "parts.json";

/** Name of the worker among the parts. */
export const workerPartName = "Worker";

const partSchema = z.object({
  name: z.string().max(100),
  /** Null while it waits for its next start. */
  pid: z.int().positive().nullable(),
  /** False while it starts, and while it waits for its next start. */
  isReady: z.boolean(),
  /** Failures since `npm start`, each followed by a restart. */
  failureCount: z.int().min(0),
  /** Time since which it has failed repeatedly; null if it has not. */
  failingSinceMs: z.number().nullable(),
  lastFailure: z.object({ atMs: z.number(), reason: z.string() }).nullable(),
  /** Sentence about what is missing while the part is down. */
  consequence: z.string().nullable(),
  logFile: z.string().nullable(),
});

const partsSchema = z.object({
  /** Process that wrote the file and keeps it up to date while it runs. */
  supervisorPid: z.int().positive(),
  parts: z.array(partSchema).max(1_000),
});

export type PartState = z.output<typeof partSchema>;
export type PartsState = z.output<typeof partsSchema>;

/** Null for anything that is not such a file. */
export function parseParts(text: string): PartsState | null {
  try {
    return partsSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
