/** One cell of `bench scale`: `node scale-index.ts objects|packed COUNT` prints its figures as JSON. */
import assert from "node:assert/strict";
import {
  coordinatorAddress,
  createPod,
  formatOrder,
  LOWEST_ORDER,
  type Message,
  PackedEntries,
  type PodEffect,
  type PodEvent,
  type PodState,
  podAddress,
  stashAddress,
  stepPod,
  type UploadHeader,
  type VaultConfig,
} from "@stashlight/write-path";
import { median } from "./rounds.ts";

export type IndexForm = "objects" | "packed";

export interface IndexFigures {
  readonly heapBytes: number;
  /** Heap and buffers outside of it. */
  readonly allBytes: number;
  readonly startMs: number;
  /** Time to settle the entries that startup left open; later steps do this. */
  readonly restMs: number;
  readonly putsPerSecond: number;
  readonly getsPerSecond: number;
  readonly firstListMs: number;
  readonly listMs: number;
  /** Page of 1,000 common prefixes. */
  readonly groupedListMs: number;
  /** Buffers outside the heap that hold settled entries. */
  readonly packedBytes: number;
}

const putCount = 50_000;
const getCount = 100_000;
const listCount = 100;
const commonPrefixCount = 100_000;
const uploadsPerFlush = 200;
const identity = { podIndex: 0, driveId: "drive-0", bootId: 1 };
const config: VaultConfig = {
  epoch: 1,
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podDriveIds: Array.from({ length: 20 }, (_, podIndex) => `drive-${podIndex}`),
  stashDevices: Array.from({ length: 21 }, (_, deviceId) => ({ deviceId, serverId: deviceId })),
  coordinatorCount: 1,
};
const payload = new Uint8Array(0);

/** Multiplying by an odd number permutes the numbers below 2^32, so keys and ids come in no order. */
const scattered = (number: number): string =>
  (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");

function uploadOf(number: number): UploadHeader {
  const id = scattered(number);
  return {
    uploadId: `${id}${scattered(number ^ 0x5bd1e995)}${id}${number.toString(16).padStart(8, "0")}`,
    kind: "object",
    bucket: "photos",
    key: `2026/11/${scattered(number % commonPrefixCount).slice(0, 6)}/image-${id}.jpg`,
    order: formatOrder(1_764_000_000_000 + number, 0, 7),
    scheme: config.scheme,
    sizeBytes: 1_000_000 + number,
    etag: `${id}${id}${id}${id}`,
    contentType: "image/jpeg",
    userMetadata: {},
    epoch: 1,
  };
}

class Bench {
  readonly state: PodState<number>;
  nowMs = 1000;

  readonly #packed: PackedEntries | null;

  constructor(form: IndexForm) {
    this.#packed = form === "packed" ? new PackedEntries() : null;
    this.state = createPod<number>(config, 0, this.#packed);
  }

  get packedBytes(): number {
    return this.#packed?.byteLength ?? 0;
  }

  take(event: PodEvent<number>): PodEffect<number>[] {
    return stepPod(this.state, event, this.nowMs);
  }

  hear(from: string, message: Message): PodEffect<number>[] {
    return this.take({ type: "message", from: from as ReturnType<typeof podAddress>, message });
  }

  /** Replays `count` shards from the pod's log, and returns the milliseconds of CPU time that it took. */
  start(count: number): number {
    const shards = Array.from({ length: count }, (_, position) => {
      return {
        upload: uploadOf(position),
        shardIndex: 0,
        payloadCrc: position,
        position,
        outcome: "complete",
      } as const;
    });
    return cpuMs(() =>
      this.take({ type: "recovered", identity, shards, refusals: [], horizon: LOWEST_ORDER }),
    );
  }

  /** Reports that the stash keeps nothing for the pod, and that its peers hold the same shards. */
  settle(): void {
    const { bootId } = identity;
    for (const { deviceId } of config.stashDevices) {
      const rest = { shards: [], damaged: [], cursor: 0, isLast: true };
      this.hear(stashAddress(deviceId), { type: "pod.handoff", deviceId, bootId, ...rest });
    }
    const [answer] = this.hear(podAddress(1), { type: "pod.compare", from: 1, bootId: 1 });
    assert(answer?.type === "send" && answer.message.type === "pod.digests");
    for (let from = 1; from < config.podDriveIds.length; from += 1) {
      this.hear(podAddress(from), { ...answer.message, from, bootId, isReplayed: true });
    }
    assert.equal(this.state.lifecycle, "settled");
  }

  /** Steps until all entries that wait for nothing are settled. */
  rest(): void {
    while (this.state.entries.touched.length > 0) this.take({ type: "timer", key: "purge" });
  }

  put(number: number): void {
    const upload = uploadOf(number);
    const shard = { upload, shardIndex: 0, payload, payloadCrc: number };
    const how = { purpose: "put", isDurable: false, condition: { type: "none" }, stashDeviceId: 3 } as const;
    const effects = this.hear(coordinatorAddress(0), { type: "pod.append", shard, bootId: 1, ...how });
    assert(effects.some(({ type }) => type === "append"));
    this.take({ type: "appended", uploadId: upload.uploadId, shardIndex: 0, position: number });
  }

  /** Flushes the last uploads, which then have all their shards. */
  finish(from: number, to: number): void {
    this.take({ type: "timer", key: "flush" });
    this.take({ type: "flushed" });
    for (let number = from; number < to; number += 1) {
      const { uploadId } = uploadOf(number);
      this.hear(coordinatorAddress(0), { type: "pod.note", uploadId, outcome: "complete" });
    }
    this.take({ type: "timer", key: "purge" });
  }

  get(number: number): void {
    const { bucket, key, uploadId } = uploadOf(number);
    const [found] = this.hear(coordinatorAddress(0), {
      type: "pod.find",
      requestId: 1,
      bucket,
      key,
      isEager: true,
    });
    assert(found?.type === "load");
    const shard = { upload: uploadOf(number), shardIndex: 0, payload, payloadCrc: number };
    const [answer] = this.take({ type: "loaded", loadId: found.loadId, read: { type: "shard", shard } });
    assert(answer?.type === "send" && answer.message.type === "coordinator.found");
    assert.equal(answer.message.versions[0]?.upload.uploadId, uploadId);
  }

  list(after: string, delimiter = ""): void {
    const range = { bucket: "photos", prefix: "2026/11/", after, keyCountMax: 1000, delimiter };
    const [page] = this.hear(coordinatorAddress(0), {
      type: "pod.list",
      requestId: 1,
      ...range,
      isBrief: false,
    });
    assert(page?.type === "send" && page.message.type === "coordinator.listed");
  }
}

function cpuMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function memory(): { readonly heap: number; readonly all: number } {
  for (let round = 0; round < 3; round += 1) (globalThis as unknown as { gc(): void }).gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, all: heapUsed + arrayBuffers };
}

function measure(form: IndexForm, count: number): IndexFigures {
  const bench = new Bench(form);
  const before = memory();
  const startMs = bench.start(count);
  bench.settle();
  const restMs = cpuMs(() => bench.rest());
  const after = memory();
  const putMs = cpuMs(() => {
    for (let from = count; from < count + putCount; from += uploadsPerFlush) {
      for (let number = from; number < from + uploadsPerFlush; number += 1) bench.put(number);
      bench.finish(from, from + uploadsPerFlush);
    }
  });
  const getMs = cpuMs(() => {
    for (let at = 0; at < getCount; at += 1) bench.get((at * 7919) % count);
  });
  const firstListMs = cpuMs(() => bench.list(""));
  const lists = (delimiter: string) =>
    Array.from({ length: listCount }, (_, at) => cpuMs(() => bench.list(uploadOf(at * 7919).key, delimiter)));
  return {
    heapBytes: (after.heap - before.heap) / count,
    allBytes: (after.all - before.all) / count,
    startMs,
    restMs,
    putsPerSecond: (1000 * putCount) / putMs,
    getsPerSecond: (1000 * getCount) / getMs,
    firstListMs,
    listMs: median(lists("")),
    groupedListMs: median(lists("/")),
    packedBytes: bench.packedBytes / (count + putCount),
  };
}

const [form, count] = process.argv.slice(2);
assert(form === "objects" || form === "packed", "the form is objects or packed");
process.stdout.write(`${JSON.stringify(measure(form, Number(count)))}\n`);
