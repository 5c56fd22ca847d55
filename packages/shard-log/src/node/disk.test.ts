import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import type { DiskFile } from "../disk.ts";
import type { LogError } from "../errors.ts";
import { formatLog, type OpenedLog, openLog } from "../index.ts";
import type { LogRecord } from "../read-record.ts";
import { decodeText, makeRecord, makeRecordId, smallOptions } from "../testing/index.ts";
import { type NodeDisk, openNodeDisk } from "./disk.ts";

const here = dirname(fileURLToPath(import.meta.url));
// Uses a folder beside the sources rather than a temporary one, which may not support O_DIRECT.
const scratch = join(here, "../../node_modules/.test");
const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "log-"));
  made.push(folder);
  return folder;
}

const openDisk = async (folder: string): Promise<NodeDisk> =>
  (await promisify(openNodeDisk)(folder, { directReads: "required" })) as NodeDisk;
const opened = async (disk: NodeDisk): Promise<OpenedLog> =>
  (await promisify(openLog)(smallOptions(disk, { batchesWaitingMax: 64 }))) as OpenedLog;

test("a reopened folder's log is read back past the page cache", async () => {
  const folder = newFolder();
  const disk = await openDisk(folder);
  await promisify(formatLog)(smallOptions(disk));
  const { log } = await opened(disk);
  const appended = Array.from({ length: 64 }, (_, number) =>
    promisify(log.append.bind(log))(makeRecord(number, `${number} `.repeat(500))),
  );
  await Promise.all(appended);
  expect(log.stats().counters.framesTotal).toBeLessThan(64);
  await promisify(log.close.bind(log))();
  await promisify(disk.close.bind(disk))();

  const again = await openDisk(folder);
  const reopened = await opened(again);
  expect(reopened.damage).toEqual([]);
  expect([...reopened.records]).toHaveLength(64);
  const record = (await promisify(reopened.log.read.bind(reopened.log))(makeRecordId(7))) as LogRecord;
  expect(decodeText(record.payload)).toBe("7 ".repeat(500));
  const scrubbed = await promisify(reopened.log.scrub.bind(reopened.log))(10_000_000);
  expect(scrubbed).toMatchObject({ recordsVerified: 64, bad: [], isRoundDone: true });
  await promisify(reopened.log.close.bind(reopened.log))();
  await promisify(again.close.bind(again))();
});

test("durable writes are visible to every reader, whether they fill few pages or need several transfers", async () => {
  const disk = await openDisk(newFolder());
  const file = (await promisify(disk.create.bind(disk))("segment", 4_194_304)) as DiskFile;
  const written = (length: number) => new Uint8Array(randomBytes(length));
  const pieces = [4096, 20_480, 266_240, 1_048_576, 1_052_672].map(written);
  let offset = 4096;
  await promisify(file.write.bind(file))(0, written(4096));
  const writes = pieces.map((bytes) => {
    const at = offset;
    offset += bytes.length;
    return { at, bytes };
  });
  const { writeDurably } = file;
  assert(writeDurably);
  await Promise.all(writes.map(({ at, bytes }) => promisify(writeDurably)(at, bytes)));
  for (const { at, bytes } of writes) {
    for (const read of [file.read.bind(file), file.readDirect.bind(file)]) {
      const target = new Uint8Array(bytes.length);
      await promisify(read)(at, target);
      expect(Buffer.compare(target, bytes)).toBe(0);
    }
  }
  await promisify(file.close.bind(file))();
  await promisify(disk.close.bind(disk))();
});

test("empty buffers can be written and read, and a read past the end of the file fails", async () => {
  const disk = await openDisk(newFolder());
  const file = (await promisify(disk.create.bind(disk))("segment", 8192)) as DiskFile;
  const { writeDurably } = file;
  assert(writeDurably);
  const moves = [file.read.bind(file), file.readDirect.bind(file), file.write.bind(file), writeDurably];
  for (const move of moves) await expect(promisify(move)(4096, new Uint8Array(0))).resolves.toBeUndefined();
  for (const read of moves.slice(0, 2))
    await expect(promisify(read)(4096, new Uint8Array(8192))).rejects.toMatchObject({ code: "io" });
  await promisify(file.close.bind(file))();
  await promisify(disk.close.bind(disk))();
});

test("compaction empties a segment in which an idle log has written an empty purge list", async () => {
  const disk = await openDisk(newFolder());
  const options = smallOptions(disk, { policy: "extents", segmentCount: 12 });
  await promisify(formatLog)(options);
  const { log } = (await promisify(openLog)(options)) as OpenedLog;
  const append = (number: number) =>
    promisify<void>((done) => log.append(makeRecord(number, "x".repeat(10_000)), done))();
  const flush = promisify(log.flush.bind(log));
  // The second segment has a purge of the first, which keeps its other records, and then the empty list.
  for (let number = 0; number < 6; number++) await append(number);
  log.kill([makeRecordId(0)]);
  await flush();
  const { framesTotal } = log.stats().counters;
  await promisify(log.attest.bind(log))();
  expect(log.stats().counters.framesTotal).toBe(framesTotal + 1);
  for (let number = 6; number < 14; number++) await append(number);
  log.kill([4, 5].map(makeRecordId));
  await flush();
  const hasEmptied = await promisify(log.compact.bind(log))();
  expect(hasEmptied).toBe(true);
  expect(log.stats().counters).toMatchObject({ readErrorsTotal: 0 });
  await promisify(log.close.bind(log))();
  await promisify(disk.close.bind(disk))();
});

test("a folder that another process uses is refused, and is free again once that process is killed", async () => {
  const folder = newFolder();
  const holder = spawn(execPath, [join(here, "../testing/hold-folder.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  await expect(openDisk(folder)).rejects.toMatchObject({ code: "locked" });
  const exited = new Promise((resolve) => holder.once("exit", resolve));
  holder.kill("SIGKILL");
  await exited;
  const disk = await openDisk(folder);
  await promisify(disk.close.bind(disk))();
});

test("a file system without space for a segment is reported as such and leaves no partial file", async () => {
  const folder = newFolder();
  const script = join(here, "../testing/format-folder.ts");
  // Limits the size of files to simulate a full file system; the write fails halfway through the file.
  const child = spawn(
    "sh",
    ["-c", `ulimit -f 40; trap '' XFSZ; exec "$0" "$1" "$2"`, execPath, script, folder],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  await new Promise((resolve) => child.once("exit", resolve));
  expect(output).toContain("no_space");
  expect(readdirSync(folder)).toEqual(["lock"]);
  const disk = await openDisk(folder);
  const failed = await promisify(formatLog)(smallOptions(disk)).catch((error: LogError) => error);
  expect(failed).toBeUndefined();
  await promisify(disk.close.bind(disk))();
});
