/** Clients that upload, read, list and delete, at random times, and check what they read. */
import { createHash, randomFillSync } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type S3Client, S3ClientError } from "@stashlight/s3/client";

export type Operation = "put" | "get" | "delete" | "list";

export interface SoakLoadOptions {
  readonly client: S3Client;
  readonly bucket: string;
  readonly clientCount: number;
  /** Rate of all clients together; start times form a Poisson process. */
  readonly requestsPerSecond: number;
  readonly until: AbortSignal;
}

export interface SoakResult {
  readonly durationsMs: Readonly<Record<Operation, number[]>>;
  /** Keyed by operation and code. */
  readonly errors: Map<string, number>;
  /** Reads that differed from the acknowledged content. */
  readonly wrong: string[];
}

const KEYS_PER_CLIENT = 60;
const MIB = 1_048_576;
/** Share of each operation per hundred requests, and of each size per hundred uploads. */
const operationShares: readonly (readonly [Operation, number])[] = [
  ["put", 45],
  ["get", 30],
  ["delete", 15],
  ["list", 10],
];
const sizeShares: readonly (readonly [number, number])[] = [
  [4096, 30],
  [65_536, 30],
  [262_144, 37],
  [3 * MIB, 3],
];
/** A body is a random slice of these random bytes. */
const pool = randomFillSync(Buffer.allocUnsafe(16 * MIB));

/** Content of a key: an MD5, nothing, or unknown after a failed request. */
type Held = string | null | "unknown";

export async function runSoakLoad(options: SoakLoadOptions): Promise<SoakResult> {
  const result: SoakResult = {
    durationsMs: { put: [], get: [], delete: [], list: [] },
    errors: new Map(),
    wrong: [],
  };
  const { clientCount } = options;
  await Promise.all(Array.from({ length: clientCount }, (_, at) => runClient(options, at, result)));
  return result;
}

async function runClient(options: SoakLoadOptions, at: number, result: SoakResult): Promise<void> {
  const { clientCount, requestsPerSecond, until } = options;
  const held = new Map<string, Held>();
  const gapMs = (1000 * clientCount) / requestsPerSecond;
  let nextMs = performance.now();
  while (!until.aborted) {
    nextMs += -Math.log(1 - Math.random()) * gapMs;
    const waitMs = nextMs - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal: until }).catch(() => {});
    else nextMs = performance.now();
    if (until.aborted) return;
    const key = `${at}/${Math.floor(Math.random() * KEYS_PER_CLIENT)}`;
    await request(options, { operation: draw(operationShares), key, held, prefix: `${at}/` }, result);
  }
}

interface Request {
  readonly operation: Operation;
  readonly key: string;
  readonly prefix: string;
  /** Keys that only this client writes. */
  readonly held: Map<string, Held>;
}

async function request(
  { client, bucket }: SoakLoadOptions,
  { operation, key, prefix, held }: Request,
  { durationsMs, errors, wrong }: SoakResult,
): Promise<void> {
  const before = held.get(key) ?? null;
  const startMs = performance.now();
  try {
    switch (operation) {
      case "put": {
        const body = drawBody();
        const md5 = md5Hex(body);
        held.set(key, "unknown");
        const { etag } = await client.putObject({ bucket, key, body, check: "unsigned" });
        if (etag !== md5) wrong.push(`${key} was stored with the ETag ${etag} instead of ${md5}`);
        held.set(key, md5);
        break;
      }
      case "delete":
        held.set(key, "unknown");
        await client.deleteObject({ bucket, key });
        held.set(key, null);
        break;
      case "list": {
        const listed = new Set((await client.listPage(bucket, { prefix })).objects.map((each) => each.key));
        for (const [name, content] of held)
          if (content !== "unknown" && listed.has(name) !== (content !== null))
            wrong.push(`${name} is ${content === null ? "listed, and was deleted" : "not listed"}`);
        break;
      }
      case "get": {
        const seen = await read(client, bucket, key);
        if (before !== "unknown" && seen !== before)
          wrong.push(`${key} shows ${seen ?? "nothing"} instead of ${before ?? "nothing"}`);
      }
    }
    durationsMs[operation].push(performance.now() - startMs);
  } catch (error) {
    if (!(error instanceof S3ClientError)) throw error;
    const name = `${operation} ${error.code}`;
    errors.set(name, (errors.get(name) ?? 0) + 1);
  }
}

async function read(client: S3Client, bucket: string, key: string): Promise<string | null> {
  try {
    return md5Hex((await client.getObject({ bucket, key })).body);
  } catch (error) {
    if (error instanceof S3ClientError && error.code === "NoSuchKey") return null;
    throw error;
  }
}

function drawBody(): Buffer {
  const sizeBytes = draw(sizeShares);
  const from = Math.floor(Math.random() * (pool.length - sizeBytes));
  return pool.subarray(from, from + sizeBytes);
}

function draw<Each>(shares: readonly (readonly [Each, number])[]): Each {
  let rest = Math.random() * 100;
  for (const [each, share] of shares) {
    rest -= share;
    if (rest < 0) return each;
  }
  return (shares.at(-1) as readonly [Each, number])[0];
}

const md5Hex = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex");
