import { DiskError } from "@stashlight/shard-log";
import { fewPages, MemoryDisk, openedLogKeeping, smallOptions } from "@stashlight/shard-log/testing";
import type { PodFreeSpace, Shard, ShardRead } from "@stashlight/write-path";
import { describe, expect, test } from "vitest";
import type { PodAnswers, ShardAnswers, StashAnswers } from "./answers.ts";
import type { IndexSpace } from "./index-memory.ts";
import { CORRUPT_REPORTED_AT_A_TIME, keepRecord, type Recovered, ShardStore } from "./store.ts";

const SHARD_BYTES = 12_000;

function makeShard(number: number, sizeBytes = SHARD_BYTES): Shard {
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
  loaded: ShardRead | null = null;
  room: PodFreeSpace | null = null;
  /** Index space for the classes of records that upload data. */
  indexSpace: IndexSpace = "free";
  #deferred: (() => void)[] = [];

  constructor(policy: "ring" | "extents", disk = new MemoryDisk(), unreadablePagesMax = 0) {
    this.disk = disk;
    const memory = fewPages();
    const { store, recovered } = ShardStore.start({
      opened: openedLogKeeping(disk, keepRecord, { policy, unreadablePagesMax, memory }, this.#isEmpty()),
      memory,
      answers: policy === "ring" ? this.#stashAnswers() : this.#podAnswers(),
      defer: (action) => this.#deferred.push(action),
      after: (_delayUs, action) => this.#deferred.push(action),
      fullAtShare: 0.75,
      relievedAtShare: 0.7,
      indexMemory: { spaceFor: (room) => (room === "removal" ? "free" : this.indexSpace) },
    });
    this.store = store;
    this.recovered = recovered;
  }

  #hear(text: string): void {
    this.heard.push(text);
  }

  #shardAnswers(): ShardAnswers {
    return {
      appended: (uploadId, shardIndex, position) => {
        this.positions.push(position);
        this.#hear(`appended ${Number.parseInt(uploadId, 16)}.${shardIndex}`);
      },
      appendFailed: (uploadId, _shardIndex, reason) =>
        this.#hear(`${reason} ${Number.parseInt(uploadId, 16)}`),
      corrupt: (uploadId) => this.#hear(`corrupt ${Number.parseInt(uploadId, 16)}`),
      unreadable: (uploadId) => this.#hear(`unreadable ${Number.parseInt(uploadId, 16)}`),
      loaded: (_loadId, read) => {
        this.loaded = read;
        this.#hear("loaded");
      },
    };
  }

  #podAnswers(): PodAnswers {
    return {
      machine: "pod",
      ...this.#shardAnswers(),
      flushed: () => this.#hear("flushed"),
      flushFailed: () => this.#hear("flush failed"),
      horizonPersisted: (horizon) => this.#hear(`horizon ${Number.parseInt(horizon, 16)}`),
      room: ({ freeBytes, isShort }) => {
        this.room = { freeBytes, isShort };
      },
      refusalPersisted: (uploadId) => this.#hear(`promised ${Number.parseInt(uploadId, 16)}`),
    };
  }

  #stashAnswers(): StashAnswers {
    return {
      machine: "stash",
      ...this.#shardAnswers(),
      occupancy: (isFull) => this.#hear(isFull ? "full" : "relieved"),
    };
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

test("shards and promises are read back from the volume unchanged", () => {
  const bench = new Bench("extents");
  bench.store.append(makeShard(1), "data");
  bench.store.persistRefusal({
    uploadId: makeShard(2).upload.uploadId,
    isKnowing: true,
    order: makeShard(2).upload.order,
  });
  bench.store.flush();
  bench.run();
  expect(bench.heard).toEqual(["appended 1.7", "flushed", "promised 2"]);
  bench.store.load(1, bench.positions[0] as number);
  bench.run();
  expect(bench.loaded).toEqual({ type: "shard", shard: makeShard(1) });
  const again = new Bench(
    "extents",
    bench.disk.powerCut(() => "dropped"),
  );
  const { payload: _, ...header } = makeShard(1);
  expect([...again.recovered.shards]).toMatchObject([header]);
  expect(again.recovered.refusals).toEqual([
    { uploadId: makeShard(2).upload.uploadId, isKnowing: true, order: makeShard(2).upload.order },
  ]);
});

test("a store is quiet once its machine has the answers about its shards and promises", () => {
  const bench = new Bench("extents");
  const { store } = bench;
  const { uploadId, order } = makeShard(2).upload;
  const requests = [
    () => store.append(makeShard(1), "data"),
    () => store.persistRefusal({ uploadId, isKnowing: true, order }),
    () => store.persistHorizon(order),
  ];
  for (const request of requests) {
    request();
    expect(store.isQuiet).toBe(false);
    bench.run();
    expect(store.isQuiet).toBe(true);
  }
});

test("a pod without memory for its index refuses new records, and accepts removals and records that it knows", () => {
  const bench = new Bench("extents");
  bench.store.append(makeShard(1), "data");
  bench.run();
  bench.indexSpace = "full";
  bench.store.append(makeShard(2), "data");
  expect(bench.heard).toEqual(["appended 1.7"]);
  bench.run();
  expect(bench.room).toMatchObject({ freeBytes: 0 });
  bench.store.append(makeShard(1), "repair");
  bench.store.append({ ...makeShard(3), payload: new Uint8Array(), payloadCrc: 0 }, "removal");
  bench.run();
  bench.indexSpace = "short";
  bench.store.append(makeShard(4), "data");
  bench.run();
  expect(bench.heard).toEqual(["appended 1.7", "full 2", "appended 1.7", "appended 3.7", "busy 4"]);
  bench.indexSpace = "free";
  bench.store.append(makeShard(4), "data");
  bench.run();
  expect(bench.heard.at(-1)).toBe("appended 4.7");
});

test("a stash device does not limit memory for its index, because its ring bounds its records", () => {
  const bench = new Bench("ring");
  bench.indexSpace = "full";
  bench.store.append(makeShard(1), "data");
  bench.run();
  expect(bench.heard).toEqual(["appended 1.7"]);
});

test("a ring reports once that it has become full, and once that it has space again", () => {
  const bench = new Bench("ring");
  let number = 0;
  while (!bench.heard.includes("full")) {
    bench.store.append(makeShard(++number), "data");
    bench.run();
    bench.store.checkFullness();
    expect(number).toBeLessThan(100);
  }
  bench.store.checkFullness();
  expect(bench.heard.filter((text) => text === "full")).toHaveLength(1);
  expect(bench.store.log.stats().occupancy).toBeGreaterThanOrEqual(0.75);
  for (const position of bench.positions) bench.store.kill(position);
  // Purge lists are written with the next records, and a full ring accepts none.
  bench.store.checkFullness();
  bench.run();
  bench.store.checkFullness();
  bench.store.checkFullness();
  expect(bench.heard.filter((text) => text === "relieved")).toHaveLength(1);
});

test("a record sent twice is dead only once both positions are released", () => {
  const bench = new Bench("ring");
  bench.store.append(makeShard(1), "data");
  bench.store.append(makeShard(1), "data");
  bench.run();
  const [first, second] = bench.positions as [number, number];
  bench.store.kill(first);
  bench.store.load(1, second);
  bench.run();
  expect(bench.loaded).toEqual({ type: "shard", shard: makeShard(1) });
  bench.store.kill(second);
  expect(bench.store.log.stats().recordsLive).toBe(0);
});

test("a shard with wrong bytes or size is refused, and no part of it is stored", () => {
  const bench = new Bench("ring");
  const shard = makeShard(2);
  bench.store.append({ ...shard, payload: shard.payload.slice(1) }, "data");
  bench.store.append({ ...shard, payloadCrc: shard.payloadCrc ^ 1 }, "data");
  bench.store.append({ ...shard, upload: { ...shard.upload, key: "k".repeat(70_000) } }, "data");
  bench.run();
  expect(bench.heard).toEqual(["refused 2", "refused 2", "refused 2"]);
  expect(bench.store.log.stats()).toMatchObject({ state: "open", recordsLive: 0 });
  bench.store.append(shard, "data");
  bench.run();
  expect(bench.heard.at(-1)).toBe("appended 2.7");
});

test("a refusal by the log is reported after the call, and nothing is reported after the end of a boot", () => {
  const bench = new Bench("ring");
  bench.store.append(makeShard(1, 20_000), "data");
  expect(bench.heard).toEqual([]);
  bench.run();
  expect(bench.heard).toEqual(["refused 1"]);
  bench.store.append(makeShard(2), "data");
  bench.store.end();
  bench.run();
  expect(bench.heard).toEqual(["refused 1"]);
});

test("promises without space delay neither the horizon nor a tombstone, and are written when space is freed", () => {
  const bench = new Bench("extents");
  const promiseOf = (number: number) => {
    const { uploadId, order } = makeShard(number, 0).upload;
    return { uploadId, isKnowing: false, order };
  };
  for (const number of [1, 2]) bench.store.append(makeShard(number), "repair");
  bench.run();
  let last = 99;
  do {
    last += 1;
    bench.store.persistRefusal(promiseOf(last));
    bench.run();
    expect(last).toBeLessThan(1000);
  } while (bench.heard.includes(`promised ${last}`));
  bench.store.persistHorizon(makeShard(last + 1).upload.order);
  bench.run();
  expect(bench.heard).toContain(`horizon ${last + 1}`);
  bench.store.append(makeShard(last + 2, 0), "removal");
  bench.run();
  expect(bench.heard).toContain(`appended ${last + 2}.7`);
  bench.store.kill(bench.positions[0] as number);
  // The first attempt may come before the space is free.
  for (let round = 0; round < 5; round += 1) bench.run();
  expect(bench.heard).toContain(`promised ${last}`);
});

test("a tombstone that waits for space causes pending purges to be written, which nothing else would write", () => {
  const bench = new Bench("extents");
  let waiting = 0;
  do {
    waiting += 1;
    bench.store.append(makeShard(waiting), "removal");
    bench.run();
    expect(waiting).toBeLessThan(100);
  } while (bench.heard.includes(`appended ${waiting}.7`));
  for (const position of bench.positions.slice()) bench.store.kill(position);
  for (let round = 0; round < 5; round += 1) bench.run();
  expect(bench.heard).toContain(`appended ${waiting}.7`);
});

test("a tombstone that finds too many others waiting is refused after the call", () => {
  const bench = new Bench("extents");
  let waiting = 0;
  do {
    waiting += 1;
    bench.store.append(makeShard(waiting), "removal");
    bench.run();
    expect(waiting).toBeLessThan(100);
  } while (bench.heard.includes(`appended ${waiting}.7`));
  for (let number = 1; number < 1024; number += 1)
    bench.store.append(makeShard(waiting + number, 0), "removal");
  bench.heard.length = 0;
  bench.store.append(makeShard(9999, 0), "removal");
  expect(bench.heard).toEqual([]);
  bench.run();
  expect(bench.heard).toContain("full 9999");
});

test("records known to be corrupt are reported again in turn, a limited number at a time", () => {
  const bench = new Bench("extents");
  const count = CORRUPT_REPORTED_AT_A_TIME + 10;
  for (let number = 1; number <= count; number += 1) {
    bench.store.append(makeShard(number, 0), "data");
    if (number % 20 === 0) bench.run();
  }
  bench.store.flush();
  bench.run();
  for (const name of bench.disk.names()) {
    const medium = bench.disk.medium(name);
    const bytes = Buffer.from(medium.buffer, medium.byteOffset, medium.length);
    for (let at = bytes.indexOf("2026/ü"); at !== -1; at = bytes.indexOf("2026/ü", at)) bytes[at] = 0;
  }
  bench.store.scrub(Number.POSITIVE_INFINITY);
  bench.run();
  const all = new Set(bench.heard.splice(0).filter((text) => text.startsWith("corrupt")));
  expect(all.size).toBe(count);
  const reported = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    bench.store.reportCorrupt();
    bench.run();
    expect(bench.heard).toHaveLength(CORRUPT_REPORTED_AT_A_TIME);
    for (const text of bench.heard.splice(0)) reported.add(text);
  }
  expect(reported).toEqual(all);
});

describe("a record that the device fails to read", () => {
  const promise = {
    uploadId: makeShard(2).upload.uploadId,
    isKnowing: true,
    order: makeShard(2).upload.order,
  };

  /** A pod with one shard and one promise, on a device that does not answer. */
  function silentDrive(): Bench {
    const bench = new Bench("extents");
    for (const number of [3, 4, 5, 1]) bench.store.append(makeShard(number, 8000), "data");
    bench.store.persistRefusal(promise);
    bench.store.log.checkpoint(() => {});
    bench.run();
    for (const position of bench.positions.slice(0, 3)) bench.store.kill(position);
    bench.store.flush();
    bench.run();
    bench.heard.length = 0;
    bench.disk.onOperation = (name) => (name.startsWith("read") ? new DiskError("io", "EIO") : null);
    return bench;
  }

  test.each(["scrub", "compaction"])("is reported when %s encounters it", (by) => {
    const bench = silentDrive();
    if (by === "scrub") bench.store.scrub(Number.POSITIVE_INFINITY);
    else bench.store.log.compact(() => {});
    bench.run();
    expect(bench.heard).toEqual(["unreadable 1"]);
  });

  test("is appended again if it is a promise, which the node has in memory", () => {
    const bench = silentDrive();
    const { recordsLive, counters } = bench.store.log.stats();
    const { appendsTotal } = counters;
    bench.store.scrub(Number.POSITIVE_INFINITY);
    bench.run();
    bench.store.flush();
    bench.run();
    expect(bench.store.log.stats()).toMatchObject({
      recordsLive,
      counters: { appendsTotal: appendsTotal + 1 },
    });
    bench.disk.onOperation = () => null;
    const again = new Bench(
      "extents",
      bench.disk.powerCut(() => "dropped"),
    );
    expect(again.recovered.refusals).toEqual([promise]);
  });
});

test("a boot that may have missed records states no outcomes, because the statement would cover those as well", () => {
  const first = new Bench("extents");
  for (const number of [1, 2, 3]) {
    first.store.append(makeShard(number), "data");
    first.run();
  }
  first.store.flush();
  first.run();
  const disk = first.disk.powerCut(() => "dropped");
  const isHeader = (offset: number, bytes: number) => offset === 0 || offset + bytes === 65_536;
  disk.onDirectRead = (file, offset, read) =>
    file === "segment-00000" && isHeader(offset, read.length) ? new DiskError("io", "EIO") : null;
  const hiding = new Bench("extents", disk, 64);
  expect([...hiding.recovered.shards]).toEqual([]);
  hiding.store.append(makeShard(9), "data");
  hiding.run();
  hiding.store.remember(hiding.positions[0] as number, "complete");
  hiding.store.writeOutcomes();
  hiding.store.flush();
  hiding.run();
  const again = new Bench(
    "extents",
    hiding.disk.powerCut(() => "dropped"),
  );
  const outcomes = [...again.recovered.shards].map(({ upload, outcome }) => [
    Number.parseInt(upload.uploadId, 16),
    outcome,
  ]);
  expect(outcomes.toSorted()).toEqual([1, 2, 3, 9].map((number) => [number, null]));
});
