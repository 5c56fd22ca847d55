/**
 * Compares group commit of the shard log with one file per shard, alternately, on the file system of this repository.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import type { ShardLog } from "@stashlight/shard-log";
import { repositoryRoot } from "../run/environment.ts";
import { openFreshLog } from "./fresh-log.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./rounds.ts";

const waiters = 64;
const payload = new Uint8Array(16_384).fill(7);
const meta = new Uint8Array(200);
/** Warm-up rounds: files become slower until the file system has reached its steady state. */
const warmUpRounds = 5;
/** Other work on the machine takes more CPU time from the log than device time from the files. */
const rounds = 9;
const recordsInRound = 20_000;
const filesInRound = 1_500;
const target = 20;
const layout = {
  policy: "ring",
  segmentBytes: 268_435_456,
  segmentCount: 5,
  batchBytesMax: 2_097_152,
} as const;

export async function benchLog(say: (line: string) => void): Promise<Measurement[]> {
  const scratch = join(repositoryRoot, "node_modules/.bench");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "log-"));
  const fileSystem = execFileSync("stat", ["-f", "-c", "%T", folder], { encoding: "utf8" }).trim();
  say(`Group commit with ${waiters} waiters and records of 16 KiB on ${fileSystem}, alternating with files.`);
  try {
    mkdirSync(join(folder, "device"));
    const files = join(folder, "files");
    mkdirSync(files);
    const { log, close } = await openFreshLog(join(folder, "device"), layout);
    const logRates: number[] = [];
    const fileRates: number[] = [];
    let next = 0;
    for (let round = 0; round < warmUpRounds + rounds; round++) {
      logRates.push(await measureRate(recordsInRound, (done) => appendAndPurge(log, next++, done)));
      fileRates.push(await measureRate(filesInRound, (done) => writeFile(files, next++, done)));
      rmSync(files, { recursive: true });
      mkdirSync(files);
      const kind = round < warmUpRounds ? "Warm-up" : "Round";
      const [ofLog, ofFiles] = [logRates, fileRates].map((rates) => rates.at(-1)?.toFixed(0));
      say(`${kind} ${round + 1}: ${ofLog} and ${ofFiles} shards a second, load ${loadavg()[0]?.toFixed(1)}.`);
    }
    const { framesTotal, appendsTotal } = log.stats().counters;
    say(`${(appendsTotal / framesTotal).toFixed(1)} records a frame.`);
    await close();
    const ofFiles = median(fileRates.slice(warmUpRounds));
    return [
      {
        name: `log, group commit on ${fileSystem}`,
        value: median(logRates.slice(warmUpRounds)),
        unit: "1/s",
        against: { name: `file per shard, fsynced (target ${target})`, value: ofFiles },
      },
      {
        name: `file per shard, fsynced, on ${fileSystem}`,
        value: ofFiles,
        unit: "1/s",
        against: { name: "itself", value: ofFiles },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Call = (done: (error: Error | null) => void) => void;

/**
 * Calls per second of `waiters` loops that each wait for their own call; the next call is made in the callback of the
 * previous one.
 */
function measureRate(count: number, call: Call): Promise<number> {
  let left = count;
  let waiting = waiters;
  const startedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    const next = (error: Error | null): void => {
      if (error !== null) reject(error);
      else if (left-- > 0) call(next);
      else if (--waiting === 0) resolve(count / ((performance.now() - startedAtMs) / 1000));
    };
    for (let waiter = 0; waiter < waiters; waiter++) next(null);
  });
}

/** Appends a shard, and purges it once it is durable, as after a flush of its pod. */
function appendAndPurge(log: ShardLog, number: number, done: (error: Error | null) => void): void {
  const uploadId = new Uint8Array(16);
  for (let at = 0; at < 4; at++) uploadId[15 - at] = number >>> (8 * at);
  const id = { uploadId, shardIndex: number % 20 };
  const versionOrder = uploadId;
  const record = {
    type: "shard",
    ...id,
    k: 16,
    m: 4,
    versionOrder,
    placementEpoch: 1,
    meta,
    payload,
  } as const;
  log.append(record, (error) => {
    if (error === null) log.kill([id]);
    done(error);
  });
}

function writeFile(folder: string, number: number, done: (error: Error | null) => void): void {
  writeDurably(folder, number).then(() => done(null), done);
}

async function writeDurably(folder: string, number: number): Promise<void> {
  const file = await open(join(folder, `shard-${number}`), "wx");
  await file.write(payload);
  await file.sync();
  await file.close();
  const directory = await open(folder, "r");
  await directory.sync();
  await directory.close();
}
