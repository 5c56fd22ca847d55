import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareKeys } from "../../key-order.ts";
import { settledEntryOf, uploadIdOf, uploadOf } from "../../testing/index.ts";
import { formatOrder } from "../../version-order.ts";
import type { EntryView } from "../entry.ts";
import type { KeyCursor } from "../key-cursor.ts";
import { hashBytes } from "./hash.ts";
import { PackedEntries } from "./packed-entries.ts";

/** Keys that begin alike for 900 bytes, are prefixes of others, or have more bytes than characters. */
const STEMS = ["", "a", "photos/", `${"deep/".repeat(180)}`, "ü€", "\u{10ffff}", "\uffff"];
const keys = STEMS.flatMap((stem) => Array.from({ length: 12 }, (_, at) => `${stem}${at}`));

const contentTypes = ["image/png", "application/x-unknown", "text/plain; charset=ütf"];
const etags = ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef-12", ""];

/** The arrival is unique; everything else follows from the choices. */
function entryOf(arrival: number, key: string, choice: number): EntryView<number> {
  const upload = uploadOf(arrival, {
    bucket: choice % 3 === 0 ? "photos" : "photos-2",
    key,
    order: formatOrder((arrival * 7919) % 1000, choice % 5, arrival),
    etag: etags[choice % etags.length] as string,
    contentType: contentTypes[choice % contentTypes.length] as string,
    sizeBytes: choice * 2 ** 30,
    userMetadata: choice % 4 === 0 ? { colour: "rot, grün", long: "x".repeat(choice) } : {},
    epoch: choice,
  });
  return {
    upload,
    signedCrc: (choice * 0x9e3779b9) | 0,
    state: "durable",
    position: choice * 2 ** 21,
    bornMs: choice - 20,
    wasKnown: choice % 2 === 0,
    outcome: "complete",
    arrival,
    bucket: (choice * 31) % 1024,
    waiting: null,
  };
}

/** Returns all keys, but only the first of those with the prefix. */
function keysOf(cursor: KeyCursor, prefix: string | null): string[] {
  const keys: string[] = [];
  for (let key = cursor.next(); key !== null; key = cursor.next()) {
    keys.push(key);
    if (prefix !== null && key.startsWith(prefix)) cursor.skip(prefix);
  }
  return keys;
}

const isInOrder = (a: EntryView<number>, b: EntryView<number>): number =>
  compareKeys(`${a.upload.bucket}/${a.upload.key}`, `${b.upload.bucket}/${b.upload.key}`) ||
  (a.upload.order < b.upload.order ? -1 : 1);

/** Packed entries beside the answers they must give. */
class Bench {
  readonly memory: PageMemory;
  readonly packed: PackedEntries;
  readonly truth = new Map<string, EntryView<number>>();
  arrival = 0;

  /** Without a limit all pages stay in memory. */
  constructor(blockBytes: number, heldPagesMax: number | null = 3) {
    const file = new ArrayFile();
    this.memory = new PageMemory(heldPagesMax === null ? null : { heldPagesMax, file });
    this.packed = new PackedEntries(this.memory, blockBytes);
  }

  put(key: string, choice: number): void {
    this.arrival += 1 + (choice % 3) * 700;
    this.#put(entryOf(this.arrival, key, choice));
  }

  #put(entry: EntryView<number>): void {
    this.packed.put(entry);
    this.truth.set(entry.upload.uploadId, entry);
  }

  remove(choice: number): void {
    const uploadId = [...this.truth.keys()][choice % Math.max(1, this.truth.size)];
    if (uploadId === undefined) return;
    this.packed.remove(uploadId);
    this.truth.delete(uploadId);
  }

  /** Takes an entry out and puts it back changed, as a pod does. */
  change(choice: number): void {
    const uploadId = [...this.truth.keys()][choice % Math.max(1, this.truth.size)] as string;
    const entry = this.packed.get(uploadId);
    if (entry === undefined) return;
    this.packed.remove(uploadId);
    this.#put({ ...entry, position: choice, bornMs: entry.bornMs + 1 });
  }

  check(key: string, choice: number): void {
    const { packed, truth } = this;
    const all = [...truth.values()].sort(isInOrder);
    expect(packed.count).toBe(truth.size);
    expect([...packed.values()]).toEqual(all);
    for (const [uploadId, entry] of truth) expect(packed.get(uploadId)).toEqual(entry);
    expect(packed.get(uploadIdOf(this.arrival + 1))).toBeUndefined();
    for (const bucket of ["photos", "photos-2", "none"]) {
      const ofBucket = all.filter(({ upload }) => upload.bucket === bucket);
      expect(packed.versionsOf({ bucket, key })).toEqual(ofBucket.filter(({ upload }) => upload.key === key));
      const listed = new Set(
        ofBucket.map(({ upload }) => upload.key).filter((each) => compareKeys(each, key) >= 0),
      );
      expect(keysOf(packed.keysFrom(bucket, key), null)).toEqual([...listed]);
      for (const prefix of ["a", "photos/1", "deep/", "ü", "\u{10ffff}"]) {
        const isSkipped = (each: string, at: number, all: string[]) =>
          each.startsWith(prefix) && all[at - 1]?.startsWith(prefix);
        const left = [...listed].filter((each, at, all) => !isSkipped(each, at, all));
        expect(keysOf(packed.keysFrom(bucket, key), prefix)).toEqual(left);
      }
    }
    const buckets = new Set([(choice * 31) % 1024, 31, 62]);
    const after = choice * 20;
    const end = 2000 * (choice + 1);
    const arrived = [...truth.values()]
      .filter(({ arrival, bucket }) => arrival > after && arrival < end && buckets.has(bucket))
      .sort((a, b) => a.arrival - b.arrival);
    const arrivals = [...packed.arrivals(after, end, buckets)];
    expect(arrivals.map((arrival) => packed.atArrival(arrival))).toEqual(arrived);
    expect(arrived.map(({ upload }) => packed.arrivalOf(upload.uploadId))).toEqual(arrivals);
  }
}

const step = fc.tuple(
  fc.constantFrom("put", "put", "put", "remove", "change"),
  fc.constantFrom(...keys),
  fc.integer({ min: 0, max: 40 }),
);

test.each([
  { blockBytes: 200, heldPagesMax: 3 },
  { blockBytes: 1024, heldPagesMax: null },
  { blockBytes: 1024, heldPagesMax: 3 },
  { blockBytes: 4096, heldPagesMax: 4 },
])(
  "blocks of $blockBytes bytes answer as plain maps do after any history, with $heldPagesMax pages in memory",
  ({ blockBytes, heldPagesMax }) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const bench = new Bench(blockBytes, heldPagesMax);
        for (const [deed, key, choice] of steps) {
          if (deed === "put") bench.put(key, choice);
          else bench[deed](choice);
        }
        const [, key, choice] = steps.at(-1) ?? ["put", "a1", 1];
        bench.check(key, choice);
        while (bench.truth.size > 0) bench.remove(choice);
        bench.check(key, choice);
      }),
      { numRuns: 60 },
    );
  },
);

const orders: Record<string, (at: number, count: number) => number> = {
  ascending: (at) => at,
  descending: (at, count) => count - at,
  mixed: (at, count) => (at * 7919) % count,
};

test.each(Object.keys(orders))("many keys in %s order are found, listed and removed again", (order) => {
  const count = 3000;
  const bench = new Bench(2048);
  const numberAt = orders[order] as (at: number, count: number) => number;
  for (let at = 0; at < count; at += 1) bench.put(`key ${String(numberAt(at, count)).padStart(6, "0")}`, 3);
  bench.check("key 001500", 3);
  while (bench.truth.size > 10) bench.remove(bench.truth.size * 7919);
  bench.check("key 001500", 3);
});

test("thousands of versions of one object are kept in the order of their versions", () => {
  const bench = new Bench(1024);
  for (let at = 0; at < 2000; at += 1) bench.put("cat", 3 * (at % 5));
  bench.check("cat", 3);
});

test("keys of 400 folders with long names are found, listed and removed again", () => {
  const count = 2400;
  const bench = new Bench(1024);
  const pagesAtFirst = bench.memory.pageCount;
  // Neighbours share 900 bytes, so that boundaries are long, and the tree is high.
  const keyAt = (at: number) =>
    `${String((at * 7919) % 1000)
      .padStart(4, "0")
      .repeat(225)}/${(at * 31) % count}`;
  for (let at = 0; at < count; at += 1) bench.put(keyAt(at), 3);
  bench.check(keyAt(500), 3);
  while (bench.truth.size > 100) bench.remove(bench.truth.size * 7919);
  bench.check(keyAt(500), 3);
  while (bench.truth.size > 0) bench.remove(0);
  expect(bench.memory.pageCount).toBe(pagesAtFirst);
});

test("uploads that share a version, which no author assigns, are all found and removed again", () => {
  const bench = new Bench(1024);
  const entries = Array.from({ length: 500 }, (_, at) => {
    const entry = entryOf(at + 1, "cat", 3);
    return { ...entry, upload: { ...entry.upload, order: formatOrder(at % 2, 0, 1) } };
  });
  for (const entry of entries) bench.packed.put(entry);
  const arrivalsOf = (versions: readonly EntryView<number>[]) =>
    versions.map(({ arrival }) => arrival).sort((a, b) => a - b);
  expect(arrivalsOf(bench.packed.versionsOf({ bucket: "photos", key: "cat" }))).toEqual(arrivalsOf(entries));
  for (const entry of entries) expect(bench.packed.get(entry.upload.uploadId)).toEqual(entry);
  for (const { upload } of entries) bench.packed.remove(upload.uploadId);
  expect(bench.packed.versionsOf({ bucket: "photos", key: "cat" })).toEqual([]);
  expect(keysOf(bench.packed.keysFrom("photos", ""), null)).toEqual([]);
  bench.put("cat", 3);
  bench.check("cat", 3);
});

test("an entry takes at most twice the memory after nine of ten were removed", () => {
  const bench = new Bench(1024);
  for (let at = 0; at < 5000; at += 1) bench.put(`key ${String((at * 7919) % 5000).padStart(6, "0")}`, 3);
  const bytesBefore = bench.packed.byteLength / bench.packed.count;
  for (const [number, uploadId] of [...bench.truth.keys()].entries())
    if (number % 10 !== 0) bench.packed.remove(uploadId);
  expect(bench.packed.byteLength / bench.packed.count).toBeLessThan(2 * bytesBefore);
});

/** Ids of which a pointer keeps the same tag. */
function idsOfOneTag(): [string, string] {
  const idOfTag = new Map<number, string>();
  for (let number = 1; ; number++) {
    const id = number.toString(16).padStart(32, "0");
    const tag = hashBytes(Buffer.from(id, "hex"), 0, 16) % 0xffff;
    const other = idOfTag.get(tag);
    if (other !== undefined) return [other, id];
    idOfTag.set(tag, id);
  }
}

test.each([0, 1])(
  "removing number %i of two versions with the same time and id tag keeps the other",
  (removed) => {
    const ids = idsOfOneTag();
    const packed = new PackedEntries();
    for (const [at, uploadId] of ids.entries())
      packed.put(
        settledEntryOf(at + 1, { key: "hot", uploadId, order: formatOrder(1_796_000_000_000, at, 1) }),
      );
    packed.remove(ids[removed] as string);
    const keptId = ids[1 - removed] as string;
    const keptArrival = 2 - removed;
    expect(packed.arrivalOf(keptId)).toBe(keptArrival);
    expect(packed.atArrival(keptArrival).upload.uploadId).toBe(keptId);
  },
);
