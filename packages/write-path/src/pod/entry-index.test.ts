import { PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { uploadIdOf, uploadOf } from "../testing/index.ts";
import { formatOrder } from "../version-order.ts";
import type { EntryView, PodEntry } from "./entry.ts";
import { EntryIndex } from "./entry-index.ts";
import type { KeyCursor } from "./key-cursor.ts";
import { PackedEntries } from "./settled/packed-entries.ts";

const KEYS = ["cat", "cat/1", "dog", `${"x".repeat(900)}1`, `${"x".repeat(900)}2`];
const BUCKETS = new Set([0, 1]);

function entryOf(number: number, key: string): PodEntry<number> {
  const fields: EntryView<number> = {
    upload: uploadOf(number, { key, order: formatOrder((number * 37) % 100, number, 1) }),
    signedCrc: number,
    state: "appending",
    position: null,
    bornMs: number,
    wasKnown: false,
    outcome: null,
    arrival: number + 1,
    bucket: number % 3,
    waiting: null,
  };
  return fields as PodEntry<number>;
}

const isAtRest = ({ state, outcome }: PodEntry<number>): boolean =>
  state === "durable" && outcome === "complete";

const changes: Record<string, (index: EntryIndex<number>, number: number, key: string) => void> = {
  add: (index, number, key) => {
    if (!index.has(uploadIdOf(number))) index.add(entryOf(number, key));
  },
  write: (index, number) => {
    const entry = index.wake(uploadIdOf(number));
    if (entry !== undefined) Object.assign(entry, { state: "durable", position: number });
  },
  complete: (index, number) => {
    const entry = index.wake(uploadIdOf(number));
    if (entry !== undefined) entry.outcome = "complete";
  },
  doubt: (index, number) => {
    const entry = index.wake(uploadIdOf(number));
    if (entry !== undefined) entry.outcome = null;
  },
  touch: (index, number) => void index.wake(uploadIdOf(number)),
  remove: (index, number) => {
    const entry = index.get(uploadIdOf(number));
    if (entry !== undefined) index.remove(entry);
  },
  settle: (index) => index.settle(isAtRest),
};

function keysOf(cursor: KeyCursor): string[] {
  const keys: string[] = [];
  for (let key = cursor.next(); key !== null; key = cursor.next()) keys.push(key);
  return keys;
}

/** Returns all keys, but only the first of those with the prefix. */
function keysAround(cursor: KeyCursor, prefix: string): string[] {
  const keys: string[] = [];
  for (let key = cursor.next(); key !== null; key = cursor.next()) {
    keys.push(key);
    if (key.startsWith(prefix)) cursor.skip(prefix);
  }
  return keys;
}

/** All answers of an index, which do not depend on where its entries are. */
function answersOf(index: EntryIndex<number>, after: number) {
  const byId = (a: EntryView<number>, b: EntryView<number>) => a.arrival - b.arrival;
  return {
    size: index.size,
    all: [...index.values()].sort(byId),
    ids: [...index.keys()].sort(),
    versions: KEYS.map((key) => index.versionsOf({ bucket: "photos", key })),
    highest: KEYS.map((key) => index.highestVersion({ bucket: "photos", key })),
    keys: keysOf(index.keysFrom("photos", "cat/")),
    arrived: [...index.arrivals(after, 12, BUCKETS)].map((arrival) => index.atArrival(arrival)),
    groups: ["cat", "cat/", "x", "y"].map((group) => keysAround(index.keysFrom("photos", ""), group)),
    arrivals: Array.from({ length: 12 }, (_, number) => index.arrivalOf(uploadIdOf(number))),
    known: Array.from({ length: 12 }, (_, number) => index.get(uploadIdOf(number))),
  };
}

test("an index that settles entries answers like one that keeps them all open", () => {
  const step = fc.tuple(
    fc.constantFrom(
      "add",
      "add",
      "write",
      "complete",
      "write",
      "complete",
      "doubt",
      "touch",
      "remove",
      "settle",
    ),
    fc.integer({ min: 0, max: 11 }),
    fc.constantFrom(...KEYS),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), fc.nat(12), (steps, after) => {
      const resting = new EntryIndex<number>(
        new PackedEntries(new PageMemory({ heldPagesMax: 3, file: new ArrayFile() }), 400),
      );
      const open = new EntryIndex<number>(null);
      for (const [change, number, key] of steps) {
        for (const index of [resting, open]) changes[change]?.(index, number, key);
        expect(resting.has(uploadIdOf(number))).toBe(open.has(uploadIdOf(number)));
      }
      expect(answersOf(resting, after)).toEqual(answersOf(open, after));
      resting.settle(isAtRest);
      expect(answersOf(resting, after)).toEqual(answersOf(open, after));
      expect([...resting.open.values()].filter(isAtRest)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
