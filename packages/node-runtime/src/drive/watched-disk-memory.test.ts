import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Disk, DiskFile, FileDone } from "@stashlight/shard-log";
import { expect, test } from "vitest";
import { monotonicNowMs } from "../host/clock.ts";
import { OpenCalls, watchedDisk } from "./watched-disk.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
setFlagsFromString("--no-expose-gc");

/** Opens a file with a callback that refers to some memory, as a log's opening does to the headers that it reads. */
function openBeside(disk: Disk): { file: DiskFile; memory: WeakRef<Uint8Array> } {
  const memory = new Uint8Array(1024);
  let opened: DiskFile | null = null;
  disk.open("segment-0", (_error, file) => {
    if (memory.length > 0) opened = file;
  });
  if (opened === null) throw new Error("The file was not opened.");
  return { file: opened, memory: new WeakRef(memory) };
}

test("a file that stays open does not retain the memory used to open it", async () => {
  const file = { sizeBytes: 0, read: () => {}, readDirect: () => {} } as unknown as DiskFile;
  const disk = { open: (_name: string, done: FileDone) => done(null, file) } as unknown as Disk;
  const kept = openBeside(watchedDisk(disk, new OpenCalls(monotonicNowMs)));
  await expect
    .poll(() => {
      collectGarbage();
      return kept.memory.deref() === undefined;
    })
    .toBe(true);
  expect(kept.file.sizeBytes).toBe(0);
});
