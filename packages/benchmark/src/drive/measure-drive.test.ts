import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunProgress } from "../run/progress.ts";
import { type DriveJob, type DriveManifest, type EndedCell, measureDrive } from "./measure-drive.ts";

let folder: string;
beforeEach(() => {
  const scratch = join(import.meta.dirname, "../../node_modules/.test");
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "drive-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const small = { fileBytes: 67_108_864, tool: "stashlight" };
interface Told {
  readonly samples: BenchmarkSample[];
  readonly cells: EndedCell[];
  readonly manifests: DriveManifest[];
  readonly progress: RunProgress[];
}

async function measure(
  method: DriveJob["method"],
  drive: Partial<DriveJob["drive"]> = {},
  stopping?: AbortSignal,
) {
  const told: Told = { samples: [], cells: [], manifests: [], progress: [] };
  const job: DriveJob = {
    runId: "00000000-0000-4000-8000-000000000001",
    slotMs: 1_795_258_800_000,
    method,
    drive: {
      name: "host-1/data",
      place: { kind: "folder", folder },
      modelledBucket: null,
      isBesideVault: false,
      ...drive,
    },
    seed: 7,
  };
  const end = await measureDrive(job, {
    onSample: (sample) => told.samples.push(sample),
    onCell: (cell) => told.cells.push(cell),
    onManifest: (manifest) => told.manifests.push(manifest),
    onProgress: (progress) => told.progress.push(progress),
    signal: stopping ?? new AbortController().signal,
  });
  return { end, ...told };
}

const check = (parameters: object) => ({ name: "volume-check", parameters: { ...small, ...parameters } });

test("a check has samples and a cell for each queue depth, and removes its file", async () => {
  const { end, samples, cells, manifests, progress } = await measure(
    check({ checkSeconds: 2, queueDepths: [4, 1] }),
    { modelledBucket: { burst: 500, base: 499, tokens: 1 } },
  );
  expect(end).toMatchObject({ state: "succeeded", sentence: null, failureCount: 0 });
  expect(cells.map(({ place, run, result }) => [place, run, result.cell.queueDepth])).toEqual([
    [0, 0, 4],
    [1, 0, 1],
  ]);
  expect(samples.map(({ index, leg }) => [index, leg])).toEqual(samples.map(({ leg }, i) => [i, leg]));
  expect(new Set(samples.map(({ leg }) => leg))).toEqual(new Set([0, 1]));
  for (const { operation, wireMs, sizeBytes } of samples) {
    expect([operation, sizeBytes]).toEqual(["MIXED", 4_096]);
    expect(wireMs).toBeGreaterThan(0);
  }
  expect(end.sampleCount).toBe(samples.length);
  expect(end.results).toMatchObject([{ name: "writtenBytes", unit: "B" }]);
  expect(end.results[0]?.value).toBeGreaterThanOrEqual(small.fileBytes);
  expect(manifests.map(({ measured }) => measured?.label ?? null)).toEqual([null, "modelled"]);
  expect(progress.some(({ text }) => /^Cell [12] of 2, 0\.\d GB written$/.test(text))).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test("every run of a sweep measures all cells in its own order, and reports those that did not settle", async () => {
  const { end, cells } = await measure({
    name: "disk-sweep",
    parameters: {
      ...small,
      blockSizesBytes: [4_096],
      queueDepths: [1],
      cellSeconds: 1,
      coolDownSeconds: 0,
      runCount: 2,
    },
  });
  expect(end.state).toBe("succeeded");
  expect(cells.map(({ run }) => run)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  const loads = (run: number) =>
    cells
      .filter((cell) => cell.run === run)
      .map(({ result: { cell } }) => `${cell.access} ${cell.readShare}`);
  expect(loads(0).toSorted()).toEqual(["random 0", "random 1", "sequential 0", "sequential 1"]);
  expect(loads(1).toSorted()).toEqual(loads(0).toSorted());
  const tagged = end.taggedCount;
  expect(end.taggedShare).toBe(tagged / end.sampleCount);
  // The test cannot control the load of this machine, but it can control the message about it.
  const contaminated = {
    name: "contaminated",
    sentence: expect.stringContaining(`In ${tagged} of 8 seconds requests waited for a processor`),
  };
  expect(end.flags).toEqual([
    { name: "unsettled", sentence: expect.stringMatching(/^8 of 8 cells did not settle/) },
    ...(end.isContaminated ? [contaminated] : []),
  ]);
});

test("preconditioning ends when everything was written, and reports the written bytes", async () => {
  const { end, cells } = await measure({
    name: "precondition",
    parameters: { fileBytes: small.fileBytes, passCount: 1 },
  });
  expect(end).toMatchObject({ state: "succeeded", results: [{ name: "writtenBytes" }] });
  expect(cells[0]?.result.writtenBytes).toBeGreaterThanOrEqual(small.fileBytes);
  expect(end.results[0]?.value).toBeLessThan(2.1 * small.fileBytes);
  expect(readdirSync(folder)).toEqual([]);
});

test("a cancelled run keeps nothing on the drive, and is reported as cancelled", async () => {
  const stopping = new AbortController();
  const running = measure(check({ checkSeconds: 600 }), {}, stopping.signal);
  setTimeout(() => stopping.abort(), 500);
  expect((await running).end).toMatchObject({ state: "cancelled" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a vault's drive is measured only if both the plan and the probe's file allow it", async () => {
  for (const name of ["volume", "segment-00000"]) writeFileSync(join(folder, name), "");
  const asked = check({ checkSeconds: 1, isBesideVault: true });
  const refused = {
    state: "failed",
    sentence: expect.stringMatching(/^A stash or pod stores its shards in/),
  };
  expect((await measure(asked)).end).toMatchObject(refused);
  expect((await measure(check({ checkSeconds: 1 }), { isBesideVault: true })).end).toMatchObject({
    state: "failed",
    sentence: expect.stringMatching(
      /^A stash or pod stores data on this drive, according to its probe's file/,
    ),
  });
  expect(readdirSync(folder).sort()).toEqual(["segment-00000", "volume"]);
  expect((await measure(asked, { isBesideVault: true })).end).toMatchObject({ state: "succeeded" });
});

test("a missing folder fails the run with an explanation, and a method for stores is refused", async () => {
  const missing = join(folder, "missing");
  expect(
    (await measure(check({ checkSeconds: 1 }), { place: { kind: "folder", folder: missing } })).end,
  ).toMatchObject({
    state: "failed",
    sentence: `There is no folder ${missing}.`,
  });
  await expect(measure({ name: "small-uploads", parameters: {} })).rejects.toThrow(
    /measures object stores, but this is a drive/,
  );
});
