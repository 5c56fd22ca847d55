/**
 * Baseline of a read: 16 shards of an object, each a separate file, read concurrently by one process. `file-reads.ts
 * FOLDER BODY_BYTES SECONDS` prints the median time per object.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DATA_SHARD_COUNT = 16;
const OBJECT_COUNT = 200;
const WARM_UP_COUNT = 400;

async function main(): Promise<void> {
  const [folder = "", bodyBytes, seconds] = process.argv.slice(2);
  const shard = new Uint8Array(Math.ceil(Number(bodyBytes) / DATA_SHARD_COUNT)).fill(7);
  await mkdir(folder, { recursive: true });
  const shardPaths = (object: number): string[] =>
    Array.from({ length: DATA_SHARD_COUNT }, (_, at) => join(folder, `${object % OBJECT_COUNT}-${at}`));
  for (let object = 0; object < OBJECT_COUNT; object += 1) {
    await Promise.all(shardPaths(object).map((path) => writeFile(path, shard)));
  }
  const timesMs: number[] = [];
  const read = async (object: number): Promise<void> => {
    const startMs = performance.now();
    Buffer.concat(await Promise.all(shardPaths(object).map((path) => readFile(path))));
    timesMs.push(performance.now() - startMs);
  };
  for (let object = 0; object < WARM_UP_COUNT; object += 1) await read(object);
  timesMs.length = 0;
  const endMs = performance.now() + Number(seconds) * 1000;
  for (let object = 0; performance.now() < endMs; object += 1) await read(object);
  timesMs.sort((a, b) => a - b);
  process.stdout.write(`${JSON.stringify({ p50Ms: timesMs[timesMs.length >> 1] })}\n`);
  await rm(folder, { recursive: true });
}

await main();
