/** `vault load`: uploads for a while, reports the results, and leaves nothing behind. */
import { type S3Client, S3ClientError } from "@stashlight/s3/client";
import type { Screen } from "../screen.ts";
import { counted } from "../units.ts";
import { modelledNote, openVault } from "../vault/access.ts";
import { retryWhileUnavailable } from "../vault/retry-requests.ts";
import type { LoadCommand } from "./arguments.ts";
import { createBodies } from "./bodies.ts";
import { openJournal } from "./journal.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { atOnce, atRandom } from "./pace.ts";
import { progressLine, summaryLines } from "./summary.ts";
import { createStats, runWriters } from "./writers.ts";

/**
 * Every load uses the same keys, because the vault remembers each key that it ever had, even a deleted one. So a bucket
 * takes one load at a time.
 */
const KEY_PREFIX = "load";
/** Maximum space of a load of any duration. */
const LIVE_BYTES_MAX = 134_217_728;
const LIVE_KEY_COUNT_MAX = 10_000;
const DRAW_EVERY_MS = 250;

/** Resolves to the exit code. `interrupted` ends the load early and cleanly. */
export async function runLoad(
  command: LoadCommand,
  screen: Screen,
  interrupted: AbortSignal,
): Promise<number> {
  const { config, sizeBytes, concurrency, seconds, uploadsPerSecond, bucket, isKept } = command;
  const vault = openVault(config);
  const journal = command.journal === null ? null : openJournal(command.journal);
  const client = vault.createClient(concurrency);
  const ledger = new Ledger();
  const note = (entry: LedgerEntry) => {
    journal?.note(entry);
    ledger.note(entry);
  };
  const stats = createStats();
  try {
    await retryWhileUnavailable(() => client.ensureBucket(bucket));
    const startMs = performance.now();
    const elapsedMs = () => performance.now() - startMs;
    const drawing = setInterval(() => screen.draw(progressLine(stats, elapsedMs())), DRAW_EVERY_MS);
    try {
      await runWriters({
        client,
        bucket,
        prefix: KEY_PREFIX,
        bodies: createBodies(sizeBytes),
        keyCount: liveKeyCount(sizeBytes),
        concurrency,
        pace:
          uploadsPerSecond === null
            ? atOnce
            : atRandom({ uploadsPerSecond, nowMs: () => performance.now(), random: Math.random }),
        until: AbortSignal.any([AbortSignal.timeout(seconds * 1000), interrupted]),
        note,
        stats,
        nowMs: () => performance.now(),
      });
    } finally {
      clearInterval(drawing);
    }
    for (const line of summaryLines(stats, { sizeBytes, concurrency, elapsedMs: elapsedMs() }))
      screen.say(line);
    const modelled = modelledNote(vault.file);
    if (modelled !== null) screen.say(modelled);
    if (isKept) screen.say(`${counted(ledger.acknowledgedCount, "object")} stay in the bucket ${bucket}.`);
    else await cleanUp(client, { ledger, note, concurrency, screen });
    return stats.durationsMs.length > 0 ? 0 : 1;
  } finally {
    client.close();
    journal?.close();
  }
}

function liveKeyCount(sizeBytes: number): number {
  return Math.max(1, Math.min(LIVE_KEY_COUNT_MAX, Math.floor(LIVE_BYTES_MAX / sizeBytes)));
}

interface CleanUp {
  readonly ledger: Ledger;
  readonly note: (entry: LedgerEntry) => void;
  readonly concurrency: number;
  readonly screen: Screen;
}

async function cleanUp(client: S3Client, { ledger, note, concurrency, screen }: CleanUp): Promise<void> {
  const names = ledger.names();
  let [next, failedCount] = [0, 0];
  const work = async (): Promise<void> => {
    for (let name = names[next++]; name !== undefined; name = names[next++]) {
      screen.draw(`Deleting ${counted(names.length, "object")}, ${names.length - next} to go`);
      note({ type: "deleting", ...name });
      try {
        await client.deleteObject(name);
        note({ type: "deleted", ...name });
      } catch (error) {
        if (!(error instanceof S3ClientError)) throw error;
        failedCount += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failedCount > 0)
    screen.say(`${counted(failedCount, "object")} could not be deleted and may still exist.`);
}
