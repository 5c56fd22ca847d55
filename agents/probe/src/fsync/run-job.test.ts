import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FsyncJob } from "@stashlight/contracts/probe";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { ArgumentError } from "../arguments.ts";
import { readDrives } from "../drives/drives.ts";
import { findFio, readFio } from "./fio.ts";
import { runFsyncJob } from "./run-job.ts";

const job: FsyncJob = {
  probeId: "00000000-0000-4000-8000-000000000001",
  drive: { node: "stash-1", device: "s0" },
  recordBytes: [4_096, 16_384],
  secondsEach: 0.2,
  fileBytes: 1_048_576,
};
const never = new AbortController().signal;
const folder = useTestFolder();

const drives = () => [{ ...job.drive, place: { kind: "folder", folder } as const }];
const withoutFio = { findFio: async () => null };

test("the built-in writer measures without fio, reports it, and removes its file", async () => {
  writeFileSync(join(folder, ".stashlight-fsync-probe"), "left by a killed probe");
  const { result, sentence } = await runFsyncJob(job, drives(), never, withoutFio);
  expect(sentence).toBeNull();
  expect(result?.tool).toBe("stashlight");
  expect(result?.figures.map(({ recordBytes }) => recordBytes)).toEqual([4_096, 16_384]);
  for (const { n, seconds, syncsPerSecond } of result?.figures ?? []) {
    expect(n).toBeGreaterThan(0);
    expect(seconds).toBeGreaterThanOrEqual(0.2);
    expect(syncsPerSecond).toBeCloseTo(n / seconds);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test("a drive without space for four test files is not written to", async () => {
  const large = { ...job, fileBytes: 2 ** 52 };
  const { result, sentence } = await runFsyncJob(large, drives(), never, withoutFio);
  expect(result).toBeNull();
  expect(sentence).toMatch(/^The drive has \d+ MB free; measuring needs \d+ MB\.$/);
  expect(readdirSync(folder)).toEqual([]);
});

test("a probe that must stop aborts at once, and removes its file", async () => {
  const stopping = new AbortController();
  const running = runFsyncJob({ ...job, secondsEach: 3_600 }, drives(), stopping.signal, withoutFio);
  stopping.abort();
  expect(await running).toMatchObject({ result: null, sentence: "The probe was stopped while it measured." });
  expect(readdirSync(folder)).toEqual([]);
});

test("a drive that the file no longer names is reported, and nothing is written", async () => {
  const { sentence } = await runFsyncJob(job, [], never, withoutFio);
  expect(sentence).toBe("This probe no longer writes to s0 of stash-1.");
});

test("a raw device is refused because it has no file to sync", async () => {
  const raw = [{ ...job.drive, place: { kind: "device", device: "/dev/null" } as const }];
  const { result, sentence } = await runFsyncJob(job, raw, never, withoutFio);
  expect(result).toBeNull();
  expect(sentence).toMatch(/^s0 of stash-1 is a raw device without files; .*“Stash load”/);
});

test("findFio resolves with null if fio is not installed", async () => {
  expect(await findFio(join(folder, "fio"))).toBeNull();
});

test("the times of syncs, not of writes, are read from fio's output", () => {
  const text = readFileSync(join(import.meta.dirname, "fio-3.33.json"), "utf8");
  const figure = {
    recordBytes: 4_096,
    syncsPerSecond: 531 / 3,
    p50Us: 3_325.952,
    p99Us: null,
    n: 531,
    seconds: 3,
  };
  expect(readFio(text, 4_096)).toEqual(figure);
  expect(readFio(`note: both iodepth >= 1\n${text}`, 4_096)).toEqual(figure);
});

const installedFio = await findFio();

test.skipIf(installedFio === null)("fio is used if it is installed, and the result names it", async () => {
  const { result, sentence } = await runFsyncJob({ ...job, secondsEach: 1 }, drives(), never);
  expect(sentence).toBeNull();
  expect(result).toMatchObject({ tool: "fio", toolVersion: installedFio?.version });
  expect(result?.figures.map(({ recordBytes }) => recordBytes)).toEqual([4_096, 16_384]);
  for (const { n, seconds, syncsPerSecond } of result?.figures ?? []) {
    expect(n).toBeGreaterThan(0);
    expect(syncsPerSecond).toBeCloseTo(n / seconds);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test("output of a fio that does not time syncs is refused", () => {
  expect(() => readFio('{"jobs":[{"job_runtime":1}]}', 4_096)).toThrow(/^This fio does not report syncs/);
});

test.each([
  ["{", /is not valid JSON\.$/],
  ['[{"node":"stash-1"}]', /0\.device: Name the drive\./],
  [
    '[{"node":"stash-1","device":"s0","folder":"/nowhere/at/all"}]',
    /the folder of s0, .* is not a folder\.$/,
  ],
])("the drives file %s is refused: %s", async (text, message) => {
  const path = join(folder, "drives.json");
  writeFileSync(path, text);
  const refused = await readDrives(path).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ArgumentError);
  expect((refused as Error).message).toMatch(message);
});
