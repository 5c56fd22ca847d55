import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ProcessorWatch } from "./processor-watch.ts";

/** A machine whose clock and counts the test sets; times are in milliseconds. */
function machine() {
  const procFolder = mkdtempSync(join(tmpdir(), "stashlight-proc-"));
  let nowMs = 0;
  const set = (ms: number, waitedMs: readonly number[], stolen = 0): void => {
    nowMs = ms;
    writeFileSync(join(procFolder, "stat"), `cpu ${ms - stolen} 0 0 0 0 0 0 ${stolen} 0 0\ncpu0 1\n`);
    for (const [thread, waited] of waitedMs.entries()) {
      mkdirSync(join(procFolder, "7/task", String(thread)), { recursive: true });
      writeFileSync(join(procFolder, "7/task", String(thread), "schedstat"), `5 ${waited * 1e6} 9\n`);
    }
  };
  set(0, [0, 0]);
  const watch = new ProcessorWatch(7, { procFolder, nowMs: () => nowMs });
  onTestFinished(() => {
    watch.stop();
    rmSync(procFolder, { recursive: true });
  });
  return {
    watch,
    procFolder,
    at: (...of: Parameters<typeof set>) => {
      set(...of);
      watch.read();
    },
  };
}

test("the CPU wait share of a second is the threads' waiting time divided by the requests in flight", () => {
  const { watch, at } = machine();
  at(1_000, [100, 300]);
  at(2_000, [100, 300]);
  at(3_000, [1_100, 1_300]);
  expect(watch.sharesOf(0, 3, 2)).toEqual([0.2, 0, 1]);
});

test("readings between seconds are distributed evenly, and time stolen by the host counts for every request", () => {
  const { watch, at } = machine();
  at(500, [0, 0]);
  at(1_500, [200, 200]);
  at(2_500, [200, 200], 300);
  expect(watch.sharesOf(500, 2, 2)).toEqual([expect.closeTo(0.2, 9), expect.closeTo(0.3, 9)]);
  expect(watch.sharesOf(1_000, 1, 2)).toEqual([expect.closeTo(0.1 + 0.15, 9)]);
});

test("a process without the kernel's scheduler counts has no wait shares", () => {
  const watch = new ProcessorWatch(7, { procFolder: "/nowhere" });
  onTestFinished(() => watch.stop());
  watch.read();
  expect(watch.sharesOf(0, 3, 1)).toEqual([]);
});

test("zeros from a kernel that does not keep the counts give no wait shares", () => {
  const procFolder = mkdtempSync(join(tmpdir(), "stashlight-proc-"));
  mkdirSync(join(procFolder, "7/task/7"), { recursive: true });
  writeFileSync(join(procFolder, "7/task/7/schedstat"), "0 0 0\n");
  let nowMs = 0;
  const watch = new ProcessorWatch(7, { procFolder, nowMs: () => nowMs });
  onTestFinished(() => {
    watch.stop();
    rmSync(procFolder, { recursive: true });
  });
  nowMs = 1_000;
  watch.read();
  expect(watch.sharesOf(0, 1, 1)).toEqual([]);
});

test("a thread that ends while threads are being read hides none of the others", () => {
  const { watch, at, procFolder } = machine();
  // A thread that sorts before the others and has no count.
  mkdirSync(join(procFolder, "7/task/-1"));
  at(1_000, [100, 300]);
  expect(watch.sharesOf(0, 1, 2)).toEqual([0.2]);
});
