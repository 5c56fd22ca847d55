/** Clients put objects while a machine is lost. Their latencies are printed and not judged, because machines are noisy. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CreateBucketCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { describe, expect, test } from "vitest";
import { isFull } from "../harness/full.ts";
import { useVault } from "../harness/use-vault.ts";

const MIB = 1_048_576;
const Bucket = "measured";
const LONG_MS = 120_000;
const QUIET_MS = 15_000;

interface Put {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly isStored: boolean;
}

/** Clients that put one object after the other until they are stopped. */
class Puts {
  readonly all: Put[] = [];
  #isRunning = true;
  readonly #running: Promise<unknown>;

  constructor(s3: S3Client, clientCount: number, bytes: number) {
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

describe.runIf(isFull)("a machine that is lost at 16 connections", () => {
  const used = useVault({
    processes: "one a node",
    scheme: { dataShardCount: 4, parityShardCount: 2 },
    podNodeCount: 6,
    stashNodeCount: 7,
    drivesPerStashNode: 1,
    podVolume: { segmentBytes: 16 * MIB, segmentCount: 12 },
    stashVolume: { segmentBytes: 8 * MIB, segmentCount: 16 },
  });

  test(
    "takes no put with it but those under way",
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
        `MEASURED losing a pod and a stash machine at 16 connections: ${underWay.length} puts under way and ${failed.length} later ones failed; p99 ${rounded(before)} ms before, then second by second ${perSecond.map(rounded).join(", ")} ms; within twice of before again after ${back} s`,
      );
      expect(load.between(lostMs, endMs).some(({ isStored }) => isStored)).toBe(true);
    },
    LONG_MS,
  );
});
