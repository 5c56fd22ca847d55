import type { DiskError, DiskFile } from "@stashlight/shard-log";
import { MemoryDisk } from "@stashlight/shard-log/testing";
import { expect, test, vi } from "vitest";
import { type Fault, FaultSwitch, faultDisk } from "./fault-disk.ts";
import { OpenCalls, watchedDisk } from "./watched-disk.ts";

const OPERATIONS = ["write", "sync", "read", "create"] as const;
type Operation = (typeof OPERATIONS)[number];

class Bench {
  readonly memory = new MemoryDisk();
  readonly faults = new FaultSwitch();
  readonly calls: OpenCalls;
  nowMs = 0;
  readonly answers: string[] = [];
  readonly failedReads: string[] = [];
  readonly reads: Uint8Array[] = [];
  readonly #disk;
  #file: DiskFile | null = null;

  constructor() {
    this.calls = new OpenCalls(() => this.nowMs);
    this.#disk = watchedDisk(
      faultDisk(this.memory, this.faults),
      this.calls,
      (file, offset, bytes, { code }) => {
        this.failedReads.push(`${file} ${offset} ${bytes} ${code}`);
      },
    );
    this.#disk.create("file", 4096, (_error, file) => {
      this.#file = file;
    });
    this.memory.run();
  }

  start(operation: Operation): void {
    const file = this.#file as DiskFile;
    const done = (error: DiskError | null) => {
      this.answers.push(`${operation} ${error === null ? "done" : error.code}`);
    };
    if (operation === "write") file.write(0, new Uint8Array(10), done);
    else if (operation === "read") {
      const target = new Uint8Array(128);
      file.read(0, target, (error) => {
        this.reads.push(target);
        done(error);
      });
    } else if (operation === "sync") file.sync(done);
    else this.#disk.create("other", 4096, done);
  }

  /** Waits until answers have arrived, which every kind of disk gives after the call has returned. */
  async settle(count: number): Promise<void> {
    await vi.waitFor(() => {
      this.memory.run();
      expect(this.answers).toHaveLength(count);
    });
  }
}

test.each<[Fault, readonly string[]]>([
  ["none", ["write done", "sync done", "read done", "create done"]],
  ["eio", ["write done", "sync io", "read done", "create io"]],
  ["eio-reads", ["write done", "sync done", "read io", "create done"]],
  ["garbled-reads", ["write done", "sync done", "read done", "create done"]],
  ["enospc", ["write no_space", "sync done", "read done", "create no_space"]],
  ["slow", ["write done", "sync done", "read done", "create done"]],
])("under the fault %s the answers are %j", async (fault, expected) => {
  const bench = new Bench();
  bench.faults.set(fault);
  for (const operation of OPERATIONS) bench.start(operation);
  expect(bench.answers).toEqual([]);
  await bench.settle(OPERATIONS.length);
  expect(bench.answers.toSorted()).toEqual(expected.toSorted());
  expect(bench.calls.oldestMs()).toBe(0);
});

test("a hanging drive is noticed, answers nothing, and answers everything once it recovers", async () => {
  const bench = new Bench();
  bench.faults.set("hang");
  bench.start("sync");
  bench.nowMs = 4000;
  bench.start("write");
  bench.memory.run();
  bench.nowMs = 10_000;
  expect(bench.answers).toEqual([]);
  expect(bench.calls.oldestMs()).toBe(10_000);
  bench.faults.set("none");
  await bench.settle(2);
  expect(bench.calls.oldestMs()).toBe(0);
});

test("a failing read is reported with its place before it is answered, and a successful one is not", async () => {
  const bench = new Bench();
  bench.start("read");
  await bench.settle(1);
  expect(bench.failedReads).toEqual([]);
  bench.faults.set("eio-reads");
  bench.start("read");
  await bench.settle(2);
  expect(bench.failedReads).toEqual(["file 0 128 io"]);
});

test("garbled reads return wrong bytes, different for each record and read, until the fault is gone", async () => {
  const bench = new Bench();
  bench.faults.set("garbled-reads");
  for (let count = 1; count <= 2; count += 1) {
    bench.start("read");
    await bench.settle(count);
  }
  bench.faults.set("none");
  bench.start("read");
  await bench.settle(3);
  const [first, second, third] = bench.reads.map((read) =>
    [...read].flatMap((byte, at) => (byte === 0 ? [] : [at])),
  );
  expect([first, second, third]).toEqual([[1, 65], [2, 66], []]);
});
