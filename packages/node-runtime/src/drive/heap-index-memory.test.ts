import type { SpaceClass } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { HeapIndexMemory, limitProcess } from "./heap-index-memory.ts";

const LIMIT_BYTES = 1e9;

/** Memory whose use and clock the test sets. By default the machine has much more than the heap may take. */
function heapOf(limitBytes = LIMIT_BYTES, machineBytes = 1e13) {
  const heap = { usedBytes: 0, bufferBytes: 0, nowMs: 0, collectCount: 0 };
  const memory = new HeapIndexMemory(
    {
      read: () => ({
        heap: { limitBytes, usedBytes: heap.usedBytes },
        process: { limitBytes: machineBytes, usedBytes: heap.usedBytes + heap.bufferBytes },
      }),
      collect: () => {
        heap.collectCount += 1;
      },
    },
    () => heap.nowMs,
  );
  const use = (usedBytes: number) => {
    heap.usedBytes = usedBytes;
    heap.nowMs += 1000;
  };
  const collect = (liveBytes: number) => {
    use(liveBytes);
    memory.collected();
  };
  return { heap, memory, use, collect };
}

const podWith = (recordCount: () => number, heldBytes = () => 0) => ({
  recordCount,
  heldBytes,
  fileSystem: 1,
});

const classes: readonly SpaceClass[] = ["data", "replacement", "repair", "removal"];

test.each([
  { live: 0.74, refused: [] },
  { live: 0.76, refused: ["data"] },
  { live: 0.81, refused: ["data", "replacement"] },
  { live: 0.91, refused: ["data", "replacement", "repair"] },
  { live: 0.99, refused: ["data", "replacement", "repair"] },
])("a heap with a live share of $live refuses $refused", ({ live, refused }) => {
  const { memory, collect } = heapOf();
  collect(live * LIMIT_BYTES);
  expect(classes.filter((each) => memory.spaceFor(each) === "full")).toEqual(refused);
});

test("a small heap reserves the bytes that requests in progress need", () => {
  const { memory, collect } = heapOf(100e6);
  collect(51e6);
  expect(memory.spaceFor("data")).toBe("free");
  collect(53e6);
  expect(memory.spaceFor("data")).toBe("full");
});

test("garbage refuses no upload until the heap is nearly full, and then only until it is collected", () => {
  const { memory, use, collect } = heapOf();
  collect(0.3 * LIMIT_BYTES);
  use(0.9 * LIMIT_BYTES);
  expect(memory.spaceFor("data")).toBe("free");
  use(0.93 * LIMIT_BYTES);
  expect(classes.map((each) => memory.spaceFor(each))).toEqual(["short", "short", "short", "free"]);
  collect(0.35 * LIMIT_BYTES);
  expect(memory.spaceFor("data")).toBe("free");
});

test("a heap nearly full of garbage is collected every 15 s, because refused uploads make V8 collect nothing", () => {
  const { heap, memory, use, collect } = heapOf();
  collect(0.5 * LIMIT_BYTES);
  use(0.93 * LIMIT_BYTES);
  expect(memory.spaceFor("data")).toBe("short");
  // The last collection was a second ago.
  expect(heap.collectCount).toBe(0);
  heap.nowMs += 14_000;
  expect([memory.spaceFor("data"), memory.spaceFor("data")]).toEqual(["short", "short"]);
  expect(heap.collectCount).toBe(1);
});

test("before the first collection the heap in use counts as live", () => {
  const { memory, use } = heapOf();
  use(0.8 * LIMIT_BYTES);
  expect(memory.spaceFor("data")).toBe("full");
});

test("deleted objects make space for others, once they have freed space for more than a few", () => {
  const { memory, collect } = heapOf();
  const spaces = [0.76, 0.74, 0.71, 0.74, 0.76].map((share) => {
    collect(share * LIMIT_BYTES);
    return memory.spaceFor("data");
  });
  expect(spaces).toEqual(["full", "full", "free", "free", "full"]);
});

test("a full index triggers a collection once records are gone, because deletes alone make V8 collect nothing", () => {
  const { heap, memory, collect } = heapOf();
  let recordCount = 100_000;
  memory.attach(podWith(() => recordCount));
  collect(0.8 * LIMIT_BYTES);
  heap.nowMs += 20_000;
  expect(memory.spaceFor("data")).toBe("full");
  expect(heap.collectCount).toBe(0);
  recordCount = 90_000;
  heap.nowMs += 10_000;
  memory.spaceFor("data");
  expect(heap.collectCount).toBe(0);
  heap.nowMs += 10_000;
  memory.spaceFor("data");
  memory.spaceFor("data");
  expect(heap.collectCount).toBe(1);
});

test("the estimate of records follows the bytes that the records take", () => {
  const { memory, collect } = heapOf();
  memory.attach(podWith(() => 400_000));
  memory.attach(podWith(() => 400_000));
  // 60 MB of an empty process, and 500 bytes for each of 800,000 records.
  collect(60e6 + 800_000 * 500);
  const left = 0.75 * LIMIT_BYTES - (60e6 + 800_000 * 500);
  expect(memory.recordsMax(400_000)).toBe(400_000 + Math.floor(left / 500 / 2));
});

test("the size of a record excludes pages in memory, because they are limited", () => {
  const { memory, collect } = heapOf(1e13, 1e9);
  memory.attach(
    podWith(
      () => 400_000,
      () => 100e6,
    ),
  );
  collect(60e6 + 100e6 + 400_000 * 50);
  expect(memory.recordsMax(400_000)).toBe(400_000 + Math.floor((0.75e9 - 180e6) / 50));
});

test("the estimate for an empty pod uses record sizes that were measured elsewhere", () => {
  const { memory, collect } = heapOf(4e9, 8e9);
  for (let pod = 0; pod < 3; pod += 1) memory.attach(podWith(() => 0));
  collect(60e6);
  // A record takes 4 bytes of the heap and as many outside, beside pages that are limited.
  expect(memory.recordsMax(0)).toBeGreaterThan(200e6);
  expect(memory.recordsMax(0)).toBeLessThan(300e6);
});

test("uploads are refused before the machine runs out of memory for buffers, even if the heap has space", () => {
  const { heap, memory, collect } = heapOf(LIMIT_BYTES, 4e9);
  heap.bufferBytes = 2.8e9;
  collect(0.1e9);
  expect(memory.spaceFor("data")).toBe("free");
  heap.bufferBytes = 3e9;
  collect(0.1e9);
  expect(classes.filter((each) => memory.spaceFor(each) === "full")).toEqual(["data"]);
  expect(memory.usedShare()).toBeCloseTo(3.1 / 3, 5);
});

test("after a pod with many records has started, the headers that it read are garbage collected", () => {
  const { heap, memory } = heapOf();
  memory.started(10);
  expect(heap.collectCount).toBe(0);
  memory.started(100_000);
  expect(heap.collectCount).toBe(1);
});

test("a drive that has left no longer counts", () => {
  const { memory, collect } = heapOf();
  collect(60e6);
  memory.attach(podWith(() => 0));
  const alone = memory.recordsMax(0);
  const detach = memory.attach(podWith(() => 0));
  expect(memory.recordsMax(0)).toBeLessThan(alone);
  detach();
  expect(memory.recordsMax(0)).toBe(alone);
});

test.each([
  { limitBytes: null, expected: 500 },
  { limitBytes: 200, expected: 200 },
  { limitBytes: 900, expected: 500 },
])("a limit of $limitBytes on a machine with 500 bytes leaves $expected", ({ limitBytes, expected }) => {
  const heap = { limitBytes: 1000, usedBytes: 10 };
  const reading = { heap, process: { limitBytes: 500, usedBytes: 20 } };
  expect(limitProcess(reading, limitBytes)).toEqual({
    heap,
    process: { limitBytes: expected, usedBytes: 20 },
  });
});
