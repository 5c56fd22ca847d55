/** Writers that upload one object after another, each repeatedly under its own keys. */
import { setTimeout as delay } from "node:timers/promises";
import { type S3Client, S3ClientError } from "@stashlight/s3/client";
import type { Body } from "./bodies.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { Pace } from "./pace.ts";

export interface LoadOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** Prefix of the keys. */
  readonly prefix: string;
  readonly bodies: readonly Body[];
  /** Number of keys written in rotation, which bounds the load's space. */
  readonly keyCount: number;
  readonly concurrency: number;
  /** Start time of the next upload of any writer. */
  readonly pace: Pace;
  /** End of the load for new uploads. */
  readonly until: AbortSignal;
  readonly note: (entry: LedgerEntry) => void;
  readonly stats: LoadStats;
  readonly nowMs: () => number;
}

export interface LoadStats {
  readonly durationsMs: number[];
  readonly bytesWritten: { total: number };
  /** Uploads by the path that the vault reports. */
  readonly paths: Map<string, number>;
  readonly errors: Map<string, number>;
}

const ERROR_PAUSE_MS = 100;

export function createStats(): LoadStats {
  return { durationsMs: [], bytesWritten: { total: 0 }, paths: new Map(), errors: new Map() };
}

/** Resolves after the last upload; rejects on permanent failures, such as a wrong ETag. */
export async function runWriters(options: LoadOptions): Promise<void> {
  const { concurrency } = options;
  await Promise.all(Array.from({ length: concurrency }, (_, writer) => write(options, writer)));
}

async function write(options: LoadOptions, writer: number): Promise<void> {
  const { bodies, keyCount, concurrency, pace, until, prefix } = options;
  const ownKeyCount = Math.max(1, Math.floor(keyCount / concurrency));
  for (let round = 0; !until.aborted; round++) {
    const key = `${prefix}/${writer}-${round % ownKeyCount}`;
    const body = bodies[(writer + round) % bodies.length] as Body;
    await pace(until);
    if (until.aborted) return;
    await putOnce(options, key, body);
  }
}

async function putOnce(options: LoadOptions, key: string, { bytes, md5 }: Body): Promise<void> {
  const { client, bucket, until, note, stats, nowMs } = options;
  note({ type: "putting", bucket, key, etag: md5 });
  const startMs = nowMs();
  try {
    // The vault computed the stored object's ETag, so the loader need not hash.
    const { etag, path } = await client.putObject({ bucket, key, body: bytes, check: "unsigned" });
    if (etag !== md5)
      throw new Error(`${bucket}/${key} was stored with ETag ${etag} and has the MD5 ${md5}.`);
    note({ type: "put", bucket, key, etag: md5 });
    stats.durationsMs.push(nowMs() - startMs);
    stats.bytesWritten.total += bytes.length;
    count(stats.paths, path ?? "unknown");
  } catch (error) {
    if (!(error instanceof S3ClientError && error.isRetryable)) throw error;
    count(stats.errors, error.code);
    await delay(ERROR_PAUSE_MS, undefined, { signal: until }).catch(() => {});
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
