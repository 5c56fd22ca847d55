/**
 * Clients put objects while a machine is lost, or while a replaced drive is refilled. Measurements are printed and not
 * judged, because machines are noisy.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CreateBucketCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { postEpoch, readEpoch, waitForEpoch, withDrive } from "../harness/epochs.ts";
import { isLong } from "../harness/long-run.ts";
import { useVault } from "../harness/use-vault.ts";
import { until } from "../harness/wait-until.ts";

const MIB = 1_048_576;
const Bucket = "measured";
const LONG_MS = 120_000;
const QUIET_MS = 15_000;

/** One drive each: six pods and seven stash servers, so that one of either may be down. */
const machines = {
  processes: "one a node",
  scheme: { dataShardCount: 4, parityShardCount: 2 },
  podNodeCount: 6,
  stashNodeCount: 7,
  drivesPerStashNode: 1,
} as const;

interface Put {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly isStored: boolean;
}

/** Clients that put one object after another, with pauses, until they are stopped. */
class Puts {
  readonly all: Put[] = [];
  #isRunning = true;
  readonly #running: Promise<unknown>;

  constructor(s3: S3Client, clientCount: number, bytes: number, pauseMs = 0) {
    const Body = randomBytes(bytes);
    const run = async (client: number) => {
      for (let turn = 0; this.#isRunning; turn += 1) {
        const startedMs = performance.now();
        const isStored = await s3
          .send(new PutObjectCommand({ Bucket, Key: `${client}/${turn % 50}`, Body }))
          .then(
            () => true,
            () => false,
          );
        this.all.push({ startedMs, endedMs: performance.now(), isStored });
        if (pauseMs > 0) await delay(pauseMs);
      }
    };
    this.#running = Promise.all(Array.from({ length: clientCount }, (_, client) => run(client)));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#running;
  }

  between(fromMs: number, toMs: number): Put[] {
    return this.all.filter(({ startedMs }) => startedMs >= fromMs && startedMs < toMs);
  }
}

function p99Ms(puts: readonly Put[]): number {
  const times = puts.map(({ startedMs, endedMs }) => endedMs - startedMs).sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.99) - 1] ?? 0;
}

const rounded = (value: number): string => value.toPrecision(3);

describe.runIf(isLong)("the loss of a machine at 16 connections", () => {
  const used = useVault({
    ...machines,
    podVolume: { segmentBytes: 16 * MIB, segmentCount: 12 },
    stashVolume: { segmentBytes: 8 * MIB, segmentCount: 16 },
  });

  test(
    "does not end puts; failures and latencies are measured",
    async () => {
      const { vault, s3 } = used;
      await s3.send(new CreateBucketCommand({ Bucket }));
      const load = new Puts(s3, 16, 16 * 1024);
      const beganMs = performance.now();
      await delay(QUIET_MS);
      const lostMs = performance.now();
      await vault.kill(["pod-1", "stash-1"]);
      await delay(QUIET_MS);
      const endMs = performance.now();
      await load.stop();
      const before = p99Ms(load.between(beganMs + 5000, lostMs));
      const failed = load.between(lostMs, endMs).filter(({ isStored }) => !isStored);
      const underWay = load.all.filter(
        ({ startedMs, endedMs, isStored }) => startedMs < lostMs && endedMs >= lostMs && !isStored,
      );
      const perSecond = Array.from({ length: Math.floor(QUIET_MS / 1000) }, (_, at) =>
        p99Ms(load.between(lostMs + at * 1000, lostMs + (at + 1) * 1000)),
      );
      const back = perSecond.findLastIndex((ms) => ms > 2 * before) + 1;
      console.log(
        `MEASURED losing a pod and a stash machine at 16 connections: ${underWay.length} puts in progress and ${failed.length} later ones failed; p99 ${rounded(before)} ms before, then second by second ${perSecond.map(rounded).join(", ")} ms; within twice of before again after ${back} s`,
      );
      expect(load.between(lostMs, endMs).some(({ isStored }) => isStored)).toBe(true);
    },
    LONG_MS,
  );
});

describe.runIf(isLong)("a drive replaced under load", () => {
  const FILLED_BYTES = 1_000_000_000;
  /** A rate that two cores and one disk can sustain for all of the vault's machines and the clients. */
  const REBUILD_BYTES_PER_SECOND = 4_000_000;
  const used = useVault({
    ...machines,
    podVolume: { segmentBytes: 16 * MIB, segmentCount: 30 },
    stashVolume: { segmentBytes: 8 * MIB, segmentCount: 16 },
  });

  /** Puts objects of 1 MB through the stash, until each of the six pods holds about 250 MB of shards. */
  async function fill(): Promise<void> {
    const Body = randomBytes(1_000_000);
    let next = 0;
    const run = async () => {
      while (next < FILLED_BYTES / Body.length) {
        next += 1;
        await used.s3.send(new PutObjectCommand({ Bucket, Key: `filled/${next}`, Body }));
      }
    };
    await Promise.all(Array.from({ length: 4 }, run));
    await used.vault.drained();
  }

  const pod = async () => (await used.vault.drives("pod")).find(({ address }) => address === "p0");

  test("is refilled while clients put, and no put fails", async () => {
    const { vault, s3 } = used;
    await s3.send(new CreateBucketCommand({ Bucket }));
    await fill();
    const load = new Puts(s3, 4, 256_000, 50);
    const beganMs = performance.now();
    await delay(QUIET_MS);
    mkdirSync(join(vault.folder, "replacement"));
    const driveId = randomBytes(16).toString("hex");
    const next = {
      ...withDrive(readEpoch(vault), "p0", driveId, "replacement"),
      rebuildBytesPerSecond: REBUILD_BYTES_PER_SECOND,
    };
    const toldMs = performance.now();
    expect(await postEpoch(vault, "coordinator-1", next)).toMatchObject({ status: 200 });
    await waitForEpoch(vault, next.epoch);
    let missingBytes = 0;
    let knownMs = Number.NaN;
    await until(
      "p0 holds all its shards again",
      async () => {
        const drive = await pod();
        missingBytes = Math.max(missingBytes, drive?.missing?.bytes ?? 0);
        if (missingBytes > 0 && Number.isNaN(knownMs)) knownMs = performance.now();
        return drive?.state.lifecycle === "settled" && drive.missing?.shardCount === 0;
      },
      600_000,
      pod,
    );
    const endMs = performance.now();
    await load.stop();
    const [before, meanwhile] = [load.between(beganMs, toldMs), load.between(toldMs, endMs)];
    const leastSeconds = missingBytes / REBUILD_BYTES_PER_SECOND;
    const seconds = (endMs - toldMs) / 1000;
    console.log(
      `MEASURED replacing a drive that held ${rounded(missingBytes / 1e6)} MB: what it lacks is known after ${rounded((knownMs - toldMs) / 1000)} s; full redundancy after ${rounded(seconds)} s, ${rounded(seconds / leastSeconds)} times the ${rounded(leastSeconds)} s of ${REBUILD_BYTES_PER_SECOND / 1e6} MB/s; ${before.length} puts before with p99 ${rounded(p99Ms(before))} ms, ${meanwhile.length} meanwhile with ${rounded(p99Ms(meanwhile))} ms (${rounded(p99Ms(meanwhile) / p99Ms(before))} times)`,
    );
    expect(missingBytes).toBeGreaterThan(FILLED_BYTES / 8);
    expect(load.all.filter(({ isStored }) => !isStored)).toEqual([]);
  }, 1_200_000);
});
