import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { createRecorder } from "@stashlight/telemetry";
import { expect, test, vi } from "vitest";
import { FsyncProbe, PROBE_FILE_NAME } from "./fsync-probe.ts";
import { fsyncPlaces } from "./timed-drive.ts";

const folder = useTestFolder();

type Space = (folder: string) => Promise<{ bavail: number; bsize: number }>;

function createProbe(where: string, readSpace?: Space) {
  const clock = { ms: 0 };
  const recorder = createRecorder({ nowMs: () => clock.ms });
  const probe = new FsyncProbe({
    place: { folder: where, medium: "ssd", device: "nvme0n1" },
    recorder,
    logger: { warn: () => {}, info: () => {} },
    nowMs: () => clock.ms,
    everyMs: 5,
    retryMs: 20,
    ...(readSpace === undefined ? {} : { readSpace }),
  });
  let count = 0;
  const look = () => {
    const { histograms, gauges } = recorder.takeWindow();
    count += histograms[0]?.histogram.count ?? 0;
    return { count, running: gauges.find(({ metric }) => metric === "stashlight_drive_running")?.value };
  };
  return { probe, look, clock };
}

test("syncs are timed in a file of 1 MiB, which replaces that of a killed agent and is removed on stop", async () => {
  const path = join(folder, PROBE_FILE_NAME);
  writeFileSync(path, "left behind");
  const { probe, look } = createProbe(folder);
  expect(look()).toEqual({ count: 0, running: undefined });
  await probe.start();
  await vi.waitUntil(() => look().count >= 5, { timeout: 10_000 });
  expect(look().running).toBe(1);
  expect(statSync(path).size).toBe(1_048_576);
  await probe.stop();
  expect(existsSync(path)).toBe(false);
});

test("a drive that cannot be written is reported as not running, and retried", async () => {
  const gone = join(folder, "gone");
  const { probe, look } = createProbe(gone);
  await probe.start();
  expect(look().running).toBe(0);
  mkdirSync(gone);
  await vi.waitUntil(() => look().count >= 1, { timeout: 10_000 });
  expect(look().running).toBe(1);
  await probe.stop();
});

test("a drive is not reported broken if its folder is full, since its state is unknown", async () => {
  const { probe, look } = createProbe(folder, async () => ({ bavail: 10, bsize: 4096 }));
  await probe.start();
  expect(look()).toEqual({ count: 0, running: undefined });
  expect(existsSync(join(folder, PROBE_FILE_NAME))).toBe(false);
  await probe.stop();
});

/** Kernel files of a machine where the folder is on a drive. */
function kernel(rotational: string | null) {
  const [sysFolder, procFolder] = [join(folder, "sys"), join(folder, "proc")];
  mkdirSync(join(procFolder, "self"), { recursive: true });
  mkdirSync(join(sysFolder, "dev/block"), { recursive: true });
  writeFileSync(join(procFolder, "self/mountinfo"), `32 22 0:44 / ${folder} rw - zfs tank/vms rw\n`);
  if (rotational !== null) {
    const drive = join(sysFolder, "devices/sdb");
    mkdirSync(join(drive, "queue"), { recursive: true });
    writeFileSync(join(drive, "queue/rotational"), `${rotational}\n`);
    const { dev } = statSync(folder, { bigint: true });
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    symlinkSync(drive, join(sysFolder, `dev/block/${major}:${minor}`));
  }
  return { sysFolder, procFolder };
}

test("a folder is on the drive that the kernel names, or on the dataset mounted there", async () => {
  expect(await fsyncPlaces([{ folder, medium: null }], kernel("1"))).toEqual([
    { folder, device: "sdb", medium: "hdd" },
  ]);
  rmSync(join(folder, "sys"), { recursive: true });
  expect(await fsyncPlaces([{ folder, medium: "ssd" }], kernel(null))).toEqual([
    { folder, device: "tank/vms", medium: "ssd" },
  ]);
});

test.each<[string, (folder: string) => string[], string]>([
  ["a missing folder", (own) => [join(own, "none")], "is not a folder"],
  ["a folder on an unknown drive", (own) => [own], "the kernel does not know the drive of"],
])("%s is refused as an argument", async (_, foldersOf, sentence) => {
  const folders = foldersOf(folder).map((each) => ({ folder: each, medium: null }));
  await expect(fsyncPlaces(folders, kernel(null))).rejects.toThrow(sentence);
});

test("two folders on one drive, which would be one series, are refused", async () => {
  const folders = [folder, join(folder, "sys")].map((each) => ({ folder: each, medium: null }));
  await expect(fsyncPlaces(folders, kernel("0"))).rejects.toThrow("are both on sdb; name one of them");
});
