import { PAGE_BYTES, PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { crc32c, MemoryDisk, openedLogKeeping } from "@stashlight/shard-log/testing";
import { PackedEntries, type Shard } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { keepRecord, ShardStore } from "./store.ts";

const HELD_PAGES = 32;
const COUNT = 27_000;
const PAYLOAD = new Uint8Array(64);
const PAYLOAD_CRC = crc32c(PAYLOAD);
/** A tenth of a shard of 64 kB. */
const WRITTEN_BYTES_MAX = 6500;

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, "0");
const scatter = (number: number): number => Math.imul(number + 1, 0x9e3779b1);

/** Uploads arrive 200 a second, their names in no order. */
function shardOf(number: number): Shard {
  const upload = {
    uploadId: hex(Math.floor(number / 50)) + hex(scatter(number)) + hex(number).repeat(2),
    kind: "object",
    bucket: "photos",
    key: `${hex(scatter(number))}.jpg`,
    order: number.toString(16).padStart(24, "0"),
    scheme: { dataShardCount: 16, parityShardCount: 4 },
    sizeBytes: 16 * PAYLOAD.length,
    etag: hex(scatter(number)).repeat(4),
    contentType: "image/jpeg",
    userMetadata: {},
    epoch: 1,
  } as const;
  return { upload, shardIndex: 7, payload: PAYLOAD, payloadCrc: PAYLOAD_CRC };
}

/** A pod's log, store and settled entries, which share the pages of one drive. */
class Drive {
  readonly file = new ArrayFile();
  readonly memory = new PageMemory({ heldPagesMax: HELD_PAGES, file: this.file });
  readonly #disk = new MemoryDisk();
  readonly #packed = new PackedEntries(this.memory);
  readonly #positions: number[] = [];
  readonly #store: ShardStore;

  constructor() {
    const size = { segmentBytes: 1_048_576, segmentCount: 32, batchBytesMax: 131_072 };
    const ignore = () => {};
    const { store } = ShardStore.start({
      opened: openedLogKeeping(
        this.#disk,
        keepRecord,
        { policy: "extents", ...size, memory: this.memory },
        true,
      ),
      memory: this.memory,
      answers: {
        machine: "pod",
        appended: (_uploadId, _shardIndex, position) => this.#positions.push(position),
        appendFailed: ignore,
        corrupt: ignore,
        unreadable: ignore,
        loaded: ignore,
        flushed: ignore,
        flushFailed: ignore,
        horizonPersisted: ignore,
        room: ignore,
        refusalPersisted: ignore,
      },
      defer: (action) => action(),
      after: ignore,
      fullAtShare: 0.9,
      relievedAtShare: 0.8,
      indexMemory: { spaceFor: () => "free" },
    });
    this.#store = store;
  }

  /** Stores shards together, as a group commit does, and settles their entries. */
  put(first: number, count: number): void {
    const shards = Array.from({ length: count }, (_, at) => shardOf(first + at));
    for (const shard of shards) this.#store.append(shard, "data");
    this.#store.flush();
    this.#disk.run();
    expect(this.#positions.length).toBe(first + count);
    for (const [at, { upload, payloadCrc }] of shards.entries()) this.#settle(first + at, upload, payloadCrc);
  }

  #settle(number: number, upload: Shard["upload"], payloadCrc: number): void {
    expect(this.#packed.has(upload.uploadId)).toBe(false);
    this.#packed.put({
      upload,
      signedCrc: payloadCrc | 0,
      state: "durable",
      position: this.#positions[number] as number,
      bornMs: number,
      wasKnown: false,
      outcome: "complete",
      arrival: number + 1,
      bucket: number % 1024,
      waiting: null,
    });
  }
}

test("a put into an index of 50 times its memory loads at most two pages and writes a tenth of a shard of 64 kB", () => {
  const drive = new Drive();
  const first = 0.9 * COUNT;
  for (let number = 0; number < first; number += 50) drive.put(number, 50);
  const { readCount, writeCount } = drive.file;
  for (let number = first; number < COUNT; number += 50) drive.put(number, 50);
  expect(drive.memory.pageCount).toBeGreaterThanOrEqual(50 * HELD_PAGES);
  const putCount = COUNT - first;
  expect((drive.file.readCount - readCount) / putCount).toBeLessThan(2);
  expect(((drive.file.writeCount - writeCount) * PAGE_BYTES) / putCount).toBeLessThan(WRITTEN_BYTES_MAX);
});
