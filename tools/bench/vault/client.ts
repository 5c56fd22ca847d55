/**
 * A client of the vault in a separate process. `client.ts TARGET_FILE put|get BODY_BYTES CONNECTIONS SECONDS [RATE]`
 * prints operations per second, times and errors. With a rate, operations begin at that many per second, even if
 * earlier ones have not been answered, and times count from each scheduled start.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { S3Client } from "@stashlight/s3/client";
import { readTarget } from "./target.ts";

const BUCKET = "bench";
const KEY_COUNT = 200;
/** Warm-up: until V8 has optimised a put's code, it costs twice as much. */
const WARM_UP_MS = 3000;

export interface ClientResult {
  readonly perSecond: number;
  readonly count: number;
  /** Operations including the warm-up. */
  readonly allCount: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly paths: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
}

async function main(): Promise<void> {
  const [path = "", verb = "", bodyBytes, connections, seconds, rate] = process.argv.slice(2);
  const connectionCountMax = Number(connections);
  const client = new S3Client({ ...readTarget(path), connectionCountMax });
  if (!(await client.listBuckets()).includes(BUCKET)) await client.createBucket(BUCKET);
  const body = randomBytes(Number(bodyBytes));
  const paths: Record<string, number> = {};
  const errors: Record<string, number> = {};
  const timesMs: number[] = [];
  let next = 0;
  const once = async (startMs = performance.now()): Promise<void> => {
    const key = `${bodyBytes}/${next++ % KEY_COUNT}`;
    try {
      if (verb === "get") {
        const { chunks } = await client.openObject({ bucket: BUCKET, key });
        for await (const _ of chunks);
      } else {
        const { path: way } = await client.putObject({ bucket: BUCKET, key, body, check: "signed" });
        paths[way ?? "none"] = (paths[way ?? "none"] ?? 0) + 1;
      }
      timesMs.push(performance.now() - startMs);
    } catch (error) {
      const name = (error as { code?: string }).code ?? (error as Error).message;
      errors[name] = (errors[name] ?? 0) + 1;
    }
  };
  const runAtRate = async (perSecond: number, endMs: number): Promise<void> => {
    const begun: Promise<void>[] = [];
    for (let dueMs = performance.now(); dueMs < endMs; dueMs += 1000 / perSecond) {
      if (dueMs > performance.now()) await delay(dueMs - performance.now());
      begun.push(once(dueMs));
    }
    await Promise.all(begun);
  };
  const run = (isOver: () => boolean) =>
    Promise.all(
      Array.from({ length: Number(connections) }, async () => {
        while (!isOver()) await once();
      }),
    );
  const warmUntilMs = performance.now() + WARM_UP_MS;
  await run(() => performance.now() >= warmUntilMs && next >= KEY_COUNT);
  const warmUpCount = timesMs.length;
  timesMs.length = 0;
  const startMs = performance.now();
  const endMs = startMs + Number(seconds) * 1000;
  if (rate === undefined) await run(() => performance.now() >= endMs);
  else await runAtRate(Number(rate), endMs);
  const elapsedSeconds = (performance.now() - startMs) / 1000;
  const count = timesMs.length;
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.min(count - 1, Math.floor(share * count))] ?? Number.NaN;
  const times = { p50Ms: at(0.5), p99Ms: at(0.99) };
  const allCount = warmUpCount + count;
  const result: ClientResult = {
    perSecond: count / elapsedSeconds,
    count,
    allCount,
    ...times,
    paths,
    errors,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}

await main();
