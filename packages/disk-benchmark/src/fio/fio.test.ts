import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { expect, test } from "vitest";
import { DiskError } from "../disk-error.ts";
import { measureDisk } from "../measure-disk.ts";
import { checkCell } from "../methods.ts";
import { findFio } from "./fio.ts";
import { readFioCell } from "./read-cell.ts";

const folder = useTestFolder();

function program(text: string): string {
  const path = join(folder, "fio");
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("no fio is found if it is not installed", async () => {
  expect(await findFio(join(folder, "fio"))).toBeNull();
});

test.each([
  ["fio-3.25", "fio-3.25"],
  ["fio-3.39-12-gabc", "fio-3.39-12-gabc"],
  ["fio-4.0", "fio-4.0"],
])("the fio version %s is accepted", async (text, version) => {
  expect((await findFio(program(`echo ${text}`)))?.version).toBe(version);
});

test.each(["fio-3.24", "fio-2.99", "something else"])("the fio version %s is refused", async (text) => {
  const refused = findFio(program(`echo "${text}"`));
  await expect(refused).rejects.toThrow(DiskError);
  await expect(refused).rejects.toThrow(`fio reports version "${text}", and 3.25 or later is needed`);
});

const side = (of: object = {}) => ({
  total_ios: 0,
  io_bytes: 0,
  runtime: 6_000,
  iops: 0,
  clat_ns: { mean: 0, max: 0 },
  ...of,
});
const json = JSON.stringify({
  jobs: [
    {
      error: 0,
      read: side({
        total_ios: 6_000,
        io_bytes: 24_576_000,
        iops: 1_000,
        clat_ns: { mean: 50_000, max: 900_000, percentile: { "50.000000": 45_000, "99.000000": 300_000 } },
      }),
      write: side({
        total_ios: 5,
        io_bytes: 20_480,
        iops: 0.8,
        clat_ns: { mean: 20_000, max: 30_000, percentile: { "50.000000": 1 } },
      }),
    },
  ],
});
const cell = { ...checkCell(6, 4), roundSeconds: 1 };

test("fio's output becomes a result with its seconds in order and its rounds judged", () => {
  const iops = ["1000, 900, 0, 4096, 0", "1000, 100, 1, 4096, 0", "2001, 1000, 0, 4096, 0"]
    .concat([3, 4, 5, 6].map((second) => `${second * 1_000}, 1000, 0, 4096, 0`))
    .join("\n");
  const latencies = "1000, 40000, 0, 4096, 0\n1000, 20000, 1, 4096, 0\n2001, 50000, 0, 4096, 0";
  const result = readFioCell(cell, { json: `note: a note before it\n${json}`, iops, latencies });
  expect(result.perSecond.iops).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000]);
  expect(result.perSecond.meanUs.slice(0, 2)).toEqual([(900 * 40 + 100 * 20) / 1_000, 50]);
  expect(result.steadyState).toEqual({ isSteady: true, excursionShare: 0, slopeShare: 0 });
  expect(result.readsPerSecond).toBe(1_000);
  expect(result.read).toEqual({ n: 6_000, meanUs: 50, p50Us: 45, p99Us: 300, p999Us: null, maxUs: 900 });
  // A median needs more than the five requests here.
  expect(result.write).toMatchObject({ n: 5, meanUs: 20, p50Us: null });
  expect(result).toMatchObject({ seconds: 6, writtenBytes: 20_480 });
});

test("the last second, for which fio writes no line, is calculated from the totals", () => {
  const lines = [1, 2, 3, 4, 5].map((second) => `${second * 1_000}, 900, 0, 4096, 0`).join("\n");
  const times = [1, 2, 3, 4, 5].map((second) => `${second * 1_000}, 40000, 0, 4096, 0`).join("\n");
  const { perSecond } = readFioCell({ ...cell, roundSeconds: null }, { json, iops: lines, latencies: times });
  expect(perSecond.iops).toEqual([900, 900, 900, 900, 900, 6_000 - 4_500 + 5]);
  const restNs = (6_000 * 50_000 - 4_500 * 40_000 + 5 * 20_000) / 1_505;
  expect(perSecond.meanUs.at(-1)).toBeCloseTo(restNs / 1_000, 6);
});

test("latencies are those of whole requests if fio reports their percentiles, and otherwise those of completions", () => {
  const whole = { mean: 58_000, max: 950_000, percentile: { "50.000000": 53_000, "99.000000": 310_000 } };
  const { jobs } = JSON.parse(json) as { jobs: [{ read: object }] };
  const withWhole = JSON.stringify({ jobs: [{ ...jobs[0], read: { ...jobs[0].read, lat_ns: whole } }] });
  const read = (text: string) => readFioCell(cell, { json: text, iops: "", latencies: "" }).read;
  expect(read(withWhole)).toMatchObject({ meanUs: 58, p50Us: 53, p99Us: 310, maxUs: 950 });
  expect(read(json)).toMatchObject({ meanUs: 50, p50Us: 45, p99Us: 300, maxUs: 900 });
});

test.each([
  ["no JSON", "fio: failed", /lacks figures that version 3\.25 and later report/],
  ["a job without its figures", '{"jobs":[{"error":0}]}', /lacks figures/],
  [
    "an error of the system",
    json.replace('"error":0', '"error":5'),
    /^fio ended with the system's error 5\.$/,
  ],
])("fio's output with %s is refused", (_, text, message) => {
  const read = () => readFioCell(cell, { json: text, iops: "", latencies: "" });
  expect(read).toThrow(DiskError);
  expect(read).toThrow(message);
});

const place = () => ({
  path: join(folder, "data"),
  offsetBytes: 0,
  logPrefix: join(folder, "log"),
  fileBytes: 4_096,
  isDirect: true,
  seed: 1,
  signal: new AbortController().signal,
  onStarted: () => {},
});
const versionThen = (then: string): string =>
  program(`if [ "$1" = --version ]; then echo fio-3.39; else ${then}; fi`);

test.each([
  [
    "sleeps",
    "exec sleep 600",
    /^fio had not ended 0 s after its time and was stopped; it did not wait for the drive/,
  ],
  [
    "wants a processor",
    "while :; do :; done",
    /^The machine was too busy to measure: 0 s after its time fio still/,
  ],
])(
  "a late fio that %s is put down to itself or to the machine, not to the drive",
  async (_, then, message) => {
    const fio = await findFio(versionThen(then), 200);
    const error = await fio
      ?.measure({ ...cell, secondsMax: 0.1 }, place())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DiskError);
    expect((error as DiskError).message).toMatch(message);
  },
);

test("a fio that its caller stops is not at fault", async () => {
  const stopping = new AbortController();
  const fio = await findFio(versionThen("exec sleep 600"), 60_000);
  const options = { ...place(), signal: stopping.signal, onStarted: () => stopping.abort() };
  await expect(fio?.measure(cell, options)).rejects.toThrow(/abort/);
});

const installed = await findFio().catch(() => null);

test.skipIf(installed === null)(
  "an installed fio measures the same cells, appears in the result, and leaves nothing behind",
  async () => {
    // Uses a folder beside the sources rather than a temporary one, which often has no O_DIRECT.
    const scratch = join(import.meta.dirname, "../../node_modules/.test");
    mkdirSync(scratch, { recursive: true });
    const place = mkdtempSync(join(scratch, "fio-"));
    try {
      const run = await measureDisk({
        place: { kind: "folder", folder: place },
        fileBytes: 16_777_216,
        isDirect: true,
        isBesideVault: false,
        cells: [checkCell(2, 4), { ...checkCell(2, 1), readShare: 0, access: "sequential" }],
        tool: "fio",
        coolDownSeconds: 0,
        writtenBytesMax: 1e12,
        bucket: null,
        seed: 3,
        signal: new AbortController().signal,
        onProgress: () => {},
        onCell: () => {},
      });
      expect(run).toMatchObject({ tool: "fio", toolVersion: installed?.version, sentence: null });
      const [mixed, writing] = run.cells;
      expect((mixed?.read.n ?? 0) / ((mixed?.read.n ?? 0) + (mixed?.write.n ?? 0))).toBeCloseTo(0.8, 1);
      expect(mixed?.perSecond.iops.length).toBeGreaterThanOrEqual(1);
      expect(writing).toMatchObject({ readsPerSecond: 0, read: { n: 0 } });
      expect(writing?.writtenBytes).toBe((writing?.write.n ?? 0) * 4_096);
      expect(readdirSync(place)).toEqual([]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
);

test("a modelled limit cannot be combined with fio", async () => {
  const refused = measureDisk({
    place: { kind: "folder", folder },
    fileBytes: 16_777_216,
    isDirect: true,
    isBesideVault: false,
    cells: [checkCell(1, 1)],
    tool: "fio",
    coolDownSeconds: 0,
    writtenBytesMax: 1e12,
    bucket: { burst: 2, base: 1, tokens: 1 },
    seed: 3,
    signal: new AbortController().signal,
    onProgress: () => {},
    onCell: () => {},
  });
  await expect(refused).rejects.toThrow(
    "A modelled limit works only with the built-in reader and writer; fio has none.",
  );
});
