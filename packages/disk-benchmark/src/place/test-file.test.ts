import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { DiskError } from "../disk-error.ts";
import { createTestFile, removeLeftovers, type TestFileOptions } from "./test-file.ts";

const folder = useTestFolder();

const create = (of: Partial<TestFileOptions> = {}) =>
  createTestFile({ folder, fileBytes: 1_048_576, isDirect: true, isBesideVault: false, ...of });

async function refusal(of: Partial<TestFileOptions> = {}): Promise<string> {
  try {
    await create(of).remove();
  } catch (error) {
    if (error instanceof DiskError) return error.message;
    throw error;
  }
  return "not refused";
}

test("removing a test file also removes the note of its owner", async () => {
  const file = create();
  expect(existsSync(file.path)).toBe(true);
  await file.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder is measured by only one process at a time", async () => {
  const file = create();
  expect(await refusal()).toBe(
    `Process ${process.pid} is already measuring ${folder}; wait until it has ended.`,
  );
  await file.remove();
  expect(await refusal()).toBe("not refused");
});

test("the files of a killed process are removed, even if its id was reused", async () => {
  writeFileSync(join(folder, ".stashlight-disk-test"), "left behind");
  writeFileSync(join(folder, ".stashlight-disk-test.owner"), `${process.pid} 1\n`);
  await create().remove();
  expect(readdirSync(folder)).toEqual([]);
});

test("a clean-up removes the files of a killed process, and keeps those of a living one", async () => {
  for (const name of [".stashlight-disk-test", ".stashlight-disk-test.fio_iops.1.log"])
    writeFileSync(join(folder, name), "left behind");
  writeFileSync(join(folder, ".stashlight-disk-test.owner"), "999999999 1\n");
  await removeLeftovers(folder);
  expect(readdirSync(folder)).toEqual([]);
  const file = create();
  await removeLeftovers(folder);
  expect(existsSync(file.path)).toBe(true);
  await file.remove();
});

test("a tenth of the drive always stays free", async () => {
  const { bavail, bsize } = statfsSync(folder);
  expect(await refusal({ fileBytes: bavail * bsize })).toMatch(
    /can spare \d+ MB, because a tenth of a drive stays free/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test("buffered I/O needs a file of twice the memory", async () => {
  expect(await refusal({ isDirect: false })).toMatch(
    /^With buffered I\/O the test file must have at least \d+ MB, twice/,
  );
});

test("the drive of a stash or pod is measured only on explicit request", async () => {
  const drive = join(folder, "drive-0");
  mkdirSync(drive);
  writeFileSync(join(drive, "volume"), "");
  writeFileSync(join(drive, "segment-00000"), "");
  expect(await refusal()).toMatch(
    /^A stash or pod stores its shards in .*drive-0, and measuring would slow it down/,
  );
  const beside = join(folder, "measured");
  mkdirSync(beside);
  expect(await refusal({ folder: drive })).toMatch(/^A stash or pod stores/);
  expect(await refusal({ isBesideVault: true })).toBe("not refused");
});

test("a missing folder is refused with an explanation", async () => {
  expect(await refusal({ folder: join(folder, "missing") })).toBe(
    `There is no folder ${join(folder, "missing")}.`,
  );
  writeFileSync(join(folder, "file"), "");
  expect(await refusal({ folder: join(folder, "file") })).toMatch(/is a file; name a folder on the drive\.$/);
});
