import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { DiskError } from "../disk-error.ts";
import { type DiskRunOptions, measureDisk } from "../measure-disk.ts";
import { checkCell } from "../methods.ts";
import { openRawDevice, type RawDeviceOptions } from "./raw-device.ts";

const MIB = 1_048_576;
const DEVICE_BYTES = 96 * MIB;

let folder: string;
let image: string;
/** Loop device over the image; null if the kernel or missing permissions prevent it. */
const loop = attach();

function attach(): string | null {
  folder = mkdtempSync(join(tmpdir(), "stashlight-raw-"));
  image = join(folder, "image");
  writeFileSync(image, "");
  truncateSync(image, DEVICE_BYTES);
  try {
    return execFileSync("losetup", ["--find", "--show", image], { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    console.warn("SKIPPED: raw devices are tested on a loop device, which needs root and losetup.");
    return null;
  }
}

afterAll(() => {
  if (loop !== null) execFileSync("losetup", ["--detach", loop]);
  rmSync(folder, { recursive: true, force: true });
});

async function refusal(of: Partial<RawDeviceOptions> = {}): Promise<string> {
  try {
    const place = openRawDevice({ device: loop ?? "", fileBytes: 64 * MIB, isDirect: true, ...of });
    await place.remove();
  } catch (error) {
    if (error instanceof DiskError) return error.message;
    throw error;
  }
  return "not refused";
}

test("a path that is not a device is refused", async () => {
  expect(await refusal({ device: join(folder, "missing") })).toMatch(/^There is no device /);
  expect(await refusal({ device: image })).toMatch(/is not a block device; name a drive such as/);
});

describe.skipIf(loop === null)("a raw device", () => {
  const device = loop as string;
  const write = (bytes: string, at: number): void => {
    const flags = ["conv=notrunc,fsync", "oflag=seek_bytes", "status=none", `seek=${at}`];
    execFileSync("dd", [`of=${device}`, ...flags], { input: bytes });
  };

  beforeEach(() => {
    truncateSync(image, DEVICE_BYTES);
    for (const at of [0, DEVICE_BYTES - MIB]) write("\0".repeat(MIB), at);
  });

  const measure = (of: Partial<DiskRunOptions> = {}) =>
    measureDisk({
      place: { kind: "device", device },
      fileBytes: 64 * MIB,
      isDirect: true,
      isBesideVault: false,
      cells: [checkCell(1, 4)],
      tool: "stashlight",
      coolDownSeconds: 0,
      writtenBytesMax: 1e12,
      bucket: null,
      seed: 7,
      signal: new AbortController().signal,
      onProgress: () => {},
      onCell: () => {},
      ...of,
    });

  test("is measured while empty, and is still empty afterwards", { timeout: 60_000 }, async () => {
    for (const tool of ["stashlight", "auto"] as const) {
      const run = await measure({ tool });
      expect(run.sentence).toBeNull();
      expect(run.device.name).toBe(device.replace("/dev/", ""));
      expect(run.cells[0]?.read.n).toBeGreaterThan(0);
      expect(await refusal()).toBe("not refused");
    }
  });

  test.each([
    ["first", "a partition table", 510],
    ["first", "a file system", 1_080],
    ["last", "the copy of a partition table", DEVICE_BYTES - 512],
  ])("is refused if its %s MiB holds %s", async (which, _, at) => {
    write("\x55\xaa", at);
    expect(await refusal()).toContain(`${device} is not empty: its ${which} MiB`);
  });

  test("is refused if it is too small, or if requests would go through the page cache", async () => {
    expect(await refusal({ fileBytes: 95 * MIB })).toMatch(/can spare 98 MB, and 99 MB are to be measured/);
    expect(await refusal({ isDirect: false })).toMatch(/is measured with direct I\/O alone/);
  });

  test("is measured by only one process at a time, and never while it is mounted", async () => {
    const place = openRawDevice({ device, fileBytes: 64 * MIB, isDirect: true });
    expect(await refusal()).toMatch(/is mounted, or something else measures or uses it/);
    await place.remove();
    expect(await refusal()).toBe("not refused");
  });

  test("ends the run with an explanation if it answers with an I/O error in the middle", async () => {
    const run = await measure({
      cells: [checkCell(600, 4)],
      // Truncates the image, since the kernel answers for sectors beyond its end as for unreadable ones.
      onProgress: ({ doneSeconds }) => {
        if (doneSeconds > 0) truncateSync(image, MIB);
      },
    });
    expect(run.cells).toEqual([]);
    expect(run.sentence).toMatch(/^The drive answered with an I\/O error \(EIO\)/);
  });
});
