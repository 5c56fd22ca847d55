import type { DiskFile } from "@stashlight/shard-log";
import { collectAnswer, MemoryDisk } from "@stashlight/shard-log/testing";
import { expect, test } from "vitest";
import { OpenCalls, watchedDisk } from "./watched-disk.ts";

test("writes, syncs and cached reads count as use by clients, and direct reads do not", () => {
  const disk = new MemoryDisk();
  let nowMs = 0;
  const calls = new OpenCalls(() => nowMs);
  const made = collectAnswer<DiskFile>(disk, (done) => {
    watchedDisk(disk, calls).create("segment-00000", 65_536, (_error, file) => {
      if (file !== null) done(file);
    });
  });
  const page = new Uint8Array(4096);
  const uses = {
    write: (done: (error: unknown) => void) => made.write(0, page, done),
    sync: (done: (error: unknown) => void) => made.sync(done),
    read: (done: (error: unknown) => void) => made.read(0, page, done),
    readDirect: (done: (error: unknown) => void) => made.readDirect(0, page, done),
  };
  expect(calls.unusedMs()).toBe(Number.POSITIVE_INFINITY);
  for (const [name, use] of Object.entries(uses)) {
    nowMs += 1000;
    collectAnswer(disk, use);
    expect([name, calls.unusedMs()]).toEqual([name, name === "readDirect" ? 1000 : 0]);
    expect(calls.oldestMs()).toBe(0);
  }
});
