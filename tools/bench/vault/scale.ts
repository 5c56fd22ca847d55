/**
 * `bench scale --vault` measures vaults of 20 pods with different numbers of objects, and `bench scale --pods` three pods
 * of one machine with up to ten million. Objects are written into the logs of a stopped vault, all of which its first start
 * reads. Then each vault starts after a kill, with uploads since the checkpoint before it, and after a stop; and all of them
 * take turns at puts, gets and lists on one connection. The vault of 0 objects has those uploads (SINCE_PUTS) and nothing
 * else, and its gets and lists read them, so that all vaults have the same load.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { S3Client } from "@stashlight/s3/client";
import { repositoryRoot } from "../../run/environment.ts";
import type { Measurement } from "../measurement.ts";
import { keyOf, listStart } from "./filled-keys.ts";
import { PAGE_KEYS, readListPage } from "./list-page.ts";
import { BenchVault, type BenchVaultOptions } from "./running.ts";
import { readTarget, type Target, writeTarget } from "./target.ts";

const MIB = 1_048_576;
const BUCKET = "scale";
const SEGMENT_BYTES = 32 * MIB;
/** Header, metadata, and frames of a record; measured for these keys. */
const RECORD_BYTES_MAX = 280;
/**
 * Space beside that of the objects, for what the bench uploads and for compaction, which leaves the largest record's length
 * of each segment: a seventh with two data shards.
 */
const SPARE_SHARE = 0.5;
const SPARE_SEGMENTS = 6;

const COLLECTED_WITHIN_MS = 5000;
const SINCE_PUTS = 80_000;
const SINCE_FOLDER = "since/";
const SINCE_CONNECTIONS = 16;
const ROUNDS = 10;
const PUTS_IN_ROUND = 50;
const GETS_IN_ROUND = 100;
const LISTS_IN_ROUND = 5;

const run = promisify(execFile);

/** Number of objects of each vault, and what the vaults are like. */
interface Plan {
  readonly objectCounts: readonly number[];
  readonly bodyBytes: number;
  readonly shape?: NonNullable<BenchVaultOptions["shape"]>;
}

const VAULTS: Plan = { objectCounts: [0, 10_000, 100_000, 1_000_000], bodyBytes: 4096 };
/** Bodies of 64 B, so that the drives take 12 GB. */
const PODS: Plan = {
  objectCounts: [0, 1_000_000, 10_000_000],
  bodyBytes: 64,
  shape: {
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    podNodeCount: 1,
    stashNodeCount: 3,
    drivesPerStashNode: 1,
  },
};

interface Times {
  readonly put: number[];
  readonly get: number[];
  readonly keyList: number[];
  readonly prefixList: number[];
}

interface Contestant {
  readonly objectCount: number;
  readonly vault: BenchVault;
  readonly target: Target;
  readonly client: S3Client;
  readonly readMs: number;
  readonly killedMs: number;
  readonly stoppedMs: number;
  /** Resident size of all agents after the last start, and the processor time that it took. */
  readonly residentMb: number;
  readonly cpuSeconds: number;
  readonly timesMs: Times;
}

interface Loaded extends Contestant {
  /** Resident size of all agents after the load. */
  readonly loadedMb: number;
}

export async function benchVaultScale(
  say: (line: string) => void,
  { isOfPods }: { readonly isOfPods: boolean },
): Promise<Measurement[]> {
  // Beside the sources: a temporary folder is often memory, or has no O_DIRECT.
  const folder = mkdtempSync(join(repositoryRoot, "node_modules/.bench-scale-"));
  const plan = isOfPods ? PODS : VAULTS;
  const contestants: Contestant[] = [];
  const vaults: BenchVault[] = [];
  try {
    for (const objectCount of plan.objectCounts) {
      const vault = await createVault(join(folder, String(objectCount)), objectCount, plan);
      vaults.push(vault);
      contestants.push(await prepare(vault, objectCount, plan, say));
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const contestant of contestants) await takeTurn(contestant, round, plan);
    }
    return measurementsOf(
      contestants.map((contestant) => ({ ...contestant, loadedMb: contestant.vault.cost().residentMb })),
    );
  } finally {
    for (const vault of vaults) await vault.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createVault(
  folder: string,
  objectCount: number,
  { bodyBytes, shape }: Plan,
): Promise<BenchVault> {
  const dataShardCount = shape?.scheme.dataShardCount ?? 16;
  const podBytes = objectCount * (RECORD_BYTES_MAX + bodyBytes / dataShardCount);
  const segmentCount = Math.ceil((podBytes * (1 + SPARE_SHARE)) / SEGMENT_BYTES) + SPARE_SEGMENTS;
  return await BenchVault.create(folder, {
    podVolume: { segmentBytes: SEGMENT_BYTES, segmentCount },
    stashVolume: { segmentBytes: 4 * MIB, segmentCount: 8 },
    ...(shape && { shape }),
  });
}

async function prepare(
  vault: BenchVault,
  objectCount: number,
  { bodyBytes }: Plan,
  say: (line: string) => void,
): Promise<Contestant> {
  const target = readTarget(writeTarget(vault.folder, vault.file));
  const client = new S3Client({ ...target, connectionCountMax: 1 });
  await client.createBucket(BUCKET);
  await vault.stop();
  const fillStartMs = performance.now();
  await fill(vault, objectCount, bodyBytes);
  say(`${objectCount} objects written in ${seconds(performance.now() - fillStartMs)}.`);
  const readMs = await vault.start();
  say(`Read in ${seconds(readMs)}, ${vault.cost().cpuSeconds.toFixed(1)} s of processor time.`);
  await untilCheckpoint(vault);
  await uploadSince(target, bodyBytes);
  await vault.stop("SIGKILL");
  const killedMs = await vault.start();
  await vault.stop();
  const stoppedMs = await vault.start();
  const { cpuSeconds } = vault.cost();
  // A pod's start leaves garbage, which is collected about a second later.
  await delay(COLLECTED_WITHIN_MS);
  const { residentMb } = vault.cost();
  const cost = `${residentMb.toFixed(0)} MB, ${cpuSeconds.toFixed(1)} s of processor time`;
  say(`Started after a kill in ${seconds(killedMs)}, after a stop in ${seconds(stoppedMs)}: ${cost}.`);
  const timesMs = { put: [], get: [], keyList: [], prefixList: [] };
  return { objectCount, vault, target, client, readMs, killedMs, stoppedMs, residentMb, cpuSeconds, timesMs };
}

/** Waits until each pod has saved its index for the first time. */
async function untilCheckpoint({ folder, file }: BenchVault): Promise<void> {
  const drives = file.nodes.flatMap((node) => (node.role === "pod" ? node.drives : []));
  const roots = drives.map(({ driveId, path }) => join(folder, path, `index-${driveId}.root`));
  while (!roots.every((root) => existsSync(root))) await delay(200);
}

/** Uploads objects after a checkpoint, fewer than those after which there would be another one. */
async function uploadSince(target: Target, bodyBytes: number): Promise<void> {
  const client = new S3Client({ ...target, connectionCountMax: SINCE_CONNECTIONS });
  const body = randomBytes(bodyBytes);
  const upload = async (connection: number): Promise<void> => {
    for (let number = connection; number < SINCE_PUTS; number += SINCE_CONNECTIONS)
      await client.putObject({
        bucket: BUCKET,
        key: SINCE_FOLDER + keyOf(number, SINCE_PUTS),
        body,
        check: "signed",
      });
  };
  await Promise.all(Array.from({ length: SINCE_CONNECTIONS }, (_, connection) => upload(connection)));
}

async function fill(vault: BenchVault, objectCount: number, bodyBytes: number): Promise<void> {
  const script = join(import.meta.dirname, "fill.ts");
  const env = { ...process.env, UV_THREADPOOL_SIZE: "8" };
  const args = [script, vault.path, BUCKET, String(objectCount), String(bodyBytes)];
  await run(process.execPath, args, { env });
}

async function takeTurn(contestant: Contestant, round: number, { bodyBytes }: Plan): Promise<void> {
  const { client, target, objectCount, timesMs } = contestant;
  const body = randomBytes(bodyBytes);
  for (let put = 0; put < PUTS_IN_ROUND; put += 1) {
    const key = `uploads/${round}/${put}`;
    await timed(timesMs.put, () => client.putObject({ bucket: BUCKET, key, body, check: "signed" }));
  }
  const [folder, keyCount] = objectCount === 0 ? [SINCE_FOLDER, SINCE_PUTS] : ["", objectCount];
  for (let get = 0; get < GETS_IN_ROUND; get += 1) {
    const key = folder + keyOf(Math.floor(Math.random() * keyCount), keyCount);
    await timed(timesMs.get, async () => {
      const { chunks } = await client.openObject({ bucket: BUCKET, key });
      for await (const _ of chunks);
    });
  }
  for (let list = 0; list < LISTS_IN_ROUND; list += 1) {
    const { prefix, startAfter } = listStart(Math.random(), keyCount);
    const page = { bucket: BUCKET, prefix: folder + prefix, startAfter: folder + startAfter };
    await timed(timesMs.keyList, () => readListPage(target, { ...page, delimiter: "" }));
    await timed(timesMs.prefixList, () => readListPage(target, { ...page, delimiter: "/" }));
  }
}

async function timed(timesMs: number[], action: () => Promise<unknown>): Promise<void> {
  const startMs = performance.now();
  await action();
  timesMs.push(performance.now() - startMs);
}

/** Compares each figure with that of the smallest vault. */
function measurementsOf(contestants: readonly Loaded[]): Measurement[] {
  const rows = (
    name: string,
    unit: Measurement["unit"],
    figureOf: (contestant: Loaded) => number,
  ): Measurement[] => {
    const [first] = contestants as [Loaded];
    const against = { name: `with ${first.objectCount}`, value: figureOf(first) };
    return contestants.map((contestant) => ({
      name: `${name}, ${contestant.objectCount} objects`,
      value: figureOf(contestant),
      unit,
      against,
    }));
  };
  const verb = (name: string, timesOf: (times: Times) => readonly number[]): Measurement[] => [
    ...rows(`${name}, p50`, "ms", ({ timesMs }) => quantile(timesOf(timesMs), 0.5)),
    ...rows(`${name}, p99`, "ms", ({ timesMs }) => quantile(timesOf(timesMs), 0.99)),
  ];
  return [
    ...rows("all agents after the start", "MB", ({ residentMb }) => residentMb),
    ...rows("all agents after the load", "MB", ({ loadedMb }) => loadedMb),
    ...rows("processor time of a start", "s", ({ cpuSeconds }) => cpuSeconds),
    ...rows("ready after reading all records", "ms", ({ readMs }) => readMs),
    ...rows(
      `ready after a kill, ${SINCE_PUTS} uploads since the checkpoint`,
      "ms",
      ({ killedMs }) => killedMs,
    ),
    ...rows("ready after a stop", "ms", ({ stoppedMs }) => stoppedMs),
    ...verb("put", ({ put }) => put),
    ...verb("get", ({ get }) => get),
    ...verb(`list of ${PAGE_KEYS} keys`, ({ keyList }) => keyList),
    ...verb(`list of ${PAGE_KEYS} common prefixes`, ({ prefixList }) => prefixList),
  ];
}

function quantile(timesMs: readonly number[], share: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
