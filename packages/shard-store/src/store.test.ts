import { MemoryDisk, openedLogKeeping, smallOptions } from "@stashlight/shard-log/testing";
import type { Shard } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { keepRecord, type Recovered, ShardStore } from "./index.ts";

const SHARD_BYTES = 12_000;

function shardOf(number: number, sizeBytes = SHARD_BYTES): Shard {
  const upload = {
    uploadId: number.toString(16).padStart(32, "0"),
    kind: "object",
    bucket: "photos",
    key: `2026/ü ${number}.jpg`,
    order: number.toString(16).padStart(24, "0"),
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    sizeBytes: sizeBytes * 16,
    etag: "5d41402abc4b2a76b9719d911017c592",
    contentType: "image/jpeg",
    userMetadata: { camera: "x100" },
    epoch: 3,
  } as const;
  const payload = new Uint8Array(sizeBytes).fill(number);
  const { crc32c } = smallOptions(new MemoryDisk());
  return { upload, shardIndex: 7, payload, payloadCrc: crc32c(payload) };
}

class Bench {
  readonly disk: MemoryDisk;
  readonly heard: string[] = [];
  readonly positions: number[] = [];
  readonly store: ShardStore;
  readonly recovered: Recovered;
  loaded: Shard | null = null;
  #deferred: (() => void)[] = [];

  constructor(policy: "ring" | "extents", disk = new MemoryDisk()) {
    this.disk = disk;
    const hear = (text: string) => this.heard.push(text);
    const { store, recovered } = ShardStore.start({
      opened: openedLogKeeping(disk, keepRecord, { policy }, this.#isEmpty()),
      policy,
      answers: {
        appended: (uploadId, shardIndex, position) => {
          this.positions.push(position);
          hear(`appended ${Number.parseInt(uploadId, 16)}.${shardIndex}`);
        },
        appendFailed: (uploadId, _shardIndex, reason) => hear(`${reason} ${Number.parseInt(uploadId, 16)}`),
        flushed: () => hear("flushed"),
        flushFailed: () => hear("flush failed"),
        corrupt: (uploadId) => hear(`corrupt ${Number.parseInt(uploadId, 16)}`),
        loaded: (_loadId, shard) => {
          this.loaded = shard;
          hear("loaded");
        },
        refusalPersisted: (uploadId) => hear(`promised ${Number.parseInt(uploadId, 16)}`),
        occupancy: (isFull) => hear(isFull ? "full" : "relieved"),
      },
      defer: (action) => this.#deferred.push(action),
      after: (_delayUs, action) => this.#deferred.push(action),
      fullAtShare: 0.75,
      relievedAtShare: 0.7,
    });
    this.store = store;
    this.recovered = recovered;
  }

  #isEmpty(): boolean {
    let isEmpty = true;
    this.disk.list((_error, names) => {
      isEmpty = names.length === 0;
    });
    this.disk.run();
    return isEmpty;
  }

  run(): void {
    this.disk.run();
    for (const action of this.#deferred.splice(0)) action();
    this.disk.run();
  }
}

test("shards and promises come back from the volume as they went in", () => {
  const bench = new Bench("extents");
  bench.store.append(shardOf(1));
  bench.store.persistRefusal({ uploadId: shardOf(2).upload.uploadId, isKnowing: true });
  bench.store.flush();
  bench.run();
  expect(bench.heard).toEqual(["appended 1.7", "flushed", "promised 2"]);
  bench.store.load(1, bench.positions[0] as number);
  bench.run();
  expect(bench.loaded).toEqual(shardOf(1));
  const again = new Bench(
    "extents",
    bench.disk.powerCut(() => "dropped"),
  );
  const { payload: _, ...header } = shardOf(1);
  expect(again.recovered.shards).toMatchObject([header]);
  expect(again.recovered.refusals).toEqual([{ uploadId: shardOf(2).upload.uploadId, isKnowing: true }]);
});

test("a ring tells once when it has become full, and once when it has room again", () => {
  const bench = new Bench("ring");
  let number = 0;
  while (!bench.heard.includes("full")) {
    bench.store.append(shardOf(++number));
    bench.run();
    bench.store.checkOccupancy();
    expect(number).toBeLessThan(100);
  }
  bench.store.checkOccupancy();
  expect(bench.heard.filter((text) => text === "full")).toHaveLength(1);
  expect(bench.store.log.stats().occupancy).toBeGreaterThanOrEqual(0.75);
  for (const position of bench.positions) bench.store.kill(position);
  // Purge lists travel with the next records, and there are none while a full ring takes no more.
  bench.store.checkOccupancy();
  bench.run();
  bench.store.checkOccupancy();
  bench.store.checkOccupancy();
  expect(bench.heard.filter((text) => text === "relieved")).toHaveLength(1);
});

test("a record sent twice is dead only when both positions are let go of", () => {
  const bench = new Bench("ring");
  bench.store.append(shardOf(1));
  bench.store.append(shardOf(1));
  bench.run();
  const [first, second] = bench.positions as [number, number];
  bench.store.kill(first);
  bench.store.load(1, second);
  bench.run();
  expect(bench.loaded).toEqual(shardOf(1));
  bench.store.kill(second);
  expect(bench.store.log.stats().recordsLive).toBe(0);
});

test("a shard whose bytes or size are wrong is refused, and nothing of it is kept", () => {
  const bench = new Bench("ring");
  const shard = shardOf(2);
  bench.store.append({ ...shard, payload: shard.payload.slice(1) });
  bench.store.append({ ...shard, payloadCrc: shard.payloadCrc ^ 1 });
  bench.store.append({ ...shard, upload: { ...shard.upload, key: "k".repeat(70_000) } });
  bench.run();
  expect(bench.heard).toEqual(["refused 2", "refused 2", "refused 2"]);
  expect(bench.store.log.stats()).toMatchObject({ state: "open", recordsLive: 0 });
  bench.store.append(shard);
  bench.run();
  expect(bench.heard.at(-1)).toBe("appended 2.7");
});

test("a refusal of the log is told after the call, and nothing at all after the end of a boot", () => {
  const bench = new Bench("ring");
  bench.store.append(shardOf(1, 20_000));
  expect(bench.heard).toEqual([]);
  bench.run();
  expect(bench.heard).toEqual(["refused 1"]);
  bench.store.append(shardOf(2));
  bench.store.end();
  bench.run();
  expect(bench.heard).toEqual(["refused 1"]);
});
