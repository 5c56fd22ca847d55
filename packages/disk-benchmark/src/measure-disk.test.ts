import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DiskCell } from "@stashlight/contracts/disk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DiskRun, type DiskRunOptions, measureDisk } from "./measure-disk.ts";
import { checkCell, inDrawnOrder, stashCells, sweepCells, sweepPresets } from "./methods.ts";

const MIB = 1_048_576;
// Uses a folder beside the sources rather than a temporary one, which often has no O_DIRECT.
const scratch = join(import.meta.dirname, "../node_modules/.test");
let folder: string;
beforeEach(() => {
  mkdirSync(scratch, { recursive: true });
  folder = mkdtempSync(join(scratch, "disk-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cell = (of: Partial<DiskCell> = {}): DiskCell => ({ ...checkCell(2, 4), ...of });

const measure = (of: Partial<DiskRunOptions> = {}): Promise<DiskRun> =>
  measureDisk({
    place: { kind: "folder", folder },
    fileBytes: 16 * MIB,
    isDirect: true,
    isBesideVault: false,
    cells: [cell()],
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

test("a check reads and writes as requested, reports each second, and leaves nothing behind", async () => {
  const { cells, sentence, label, writtenBytes } = await measure();
  expect(sentence).toBeNull();
  expect(label).toBe("measured");
  const [result] = cells;
  if (result === undefined) throw new Error("There is no result.");
  const { read, write, perSecond, seconds, readsPerSecond, writesPerSecond } = result;
  expect(read.n / (read.n + write.n)).toBeCloseTo(0.8, 1);
  expect(readsPerSecond * seconds).toBeCloseTo(read.n, 3);
  expect(writesPerSecond * seconds).toBeCloseTo(write.n, 3);
  expect(perSecond.iops).toHaveLength(2);
  // Each value is a rate, and a measured second may be a little shorter or longer than one.
  const countedPerSecond = perSecond.iops.reduce((sum, rate) => sum + rate, 0);
  expect(countedPerSecond).toBeLessThanOrEqual((read.n + write.n) * 1.05);
  expect(read.p50Us).toBeGreaterThan(0);
  // Little's law: the requests in flight are their rate times their mean latency, minus the process's own time.
  const underWay =
    ((read.n + write.n) / seconds) *
    (((read.meanUs ?? 0) * read.n + (write.meanUs ?? 0) * write.n) / (read.n + write.n) / 1e6);
  expect(underWay).toBeGreaterThan(2);
  expect(underWay).toBeLessThanOrEqual(4.1);
  expect(writtenBytes).toBeGreaterThanOrEqual(16 * MIB);
  expect(readdirSync(folder)).toEqual([]);
});

test("a run limited by a modelled bucket is labelled as modelled", async () => {
  const run = await measure({
    cells: [cell({ secondsMax: 1 })],
    bucket: { burst: 400, base: 50, tokens: 700 },
  });
  expect(run).toMatchObject({ label: "modelled", tool: "stashlight", sentence: null });
});

test("stopping ends the measurement and removes the file", async () => {
  const stopping = new AbortController();
  const run = await measure({
    cells: [cell({ secondsMax: 3_600 })],
    signal: stopping.signal,
    onProgress: ({ doneSeconds }) => {
      if (doneSeconds > 0) stopping.abort();
    },
  });
  expect(run).toMatchObject({ cells: [], sentence: "The measurement was stopped." });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["one request at a time", 1],
  ["threads", 4],
])("the measurement of a hung drive is abandoned and its file removed: %s", async (_, queueDepth) => {
  const run = await measure({
    cells: [cell({ secondsMax: 3_600, queueDepth })],
    hungAfterMs: 2_000,
    onProgress: ({ doneSeconds }) => {
      // To its parent, a stopped process looks like one whose requests the kernel does not answer.
      if (doneSeconds > 0) process.kill(measuringProcess(), "SIGSTOP");
    },
  });
  expect(run).toMatchObject({
    cells: [],
    sentence: expect.stringMatching(/^The drive answered no request for 2 s/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

function measuringProcess(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ");
  const found = children.findLast((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("process/child.ts"),
  );
  if (found === undefined) throw new Error("No process measures.");
  return Number(found);
}

test("writing stops within 1 MiB after the limit, and the measurements until then are kept", async () => {
  const writtenBytesMax = 17 * MIB;
  const run = await measure({ cells: [cell({ readShare: 0, secondsMax: 60 })], writtenBytesMax });
  expect(run.writtenBytes).toBeGreaterThanOrEqual(writtenBytesMax);
  expect(run.writtenBytes).toBeLessThan(writtenBytesMax + MIB);
  expect(run.cells[0]?.write.n).toBeGreaterThanOrEqual(256);
  await expect(measure({ writtenBytesMax: MIB })).rejects.toThrow(/^The limit of written bytes is below/);
});

test("the latency of synced appends includes the sync, also with several jobs and concurrent reads", async () => {
  const asked = stashCells({
    recordSizesBytes: [16_384],
    jobCounts: [1, 4],
    readShare: 0.5,
    secondsMax: 2,
  });
  const run = await measure({ cells: asked, tool: "auto" });
  expect(run).toMatchObject({ tool: "stashlight", sentence: null });
  expect(run.cells.map(({ cell: each }) => each.queueDepth)).toEqual([1, 4]);
  for (const { read, write } of run.cells) {
    expect(read.n).toBeGreaterThan(0);
    expect(write.n).toBeGreaterThan(0);
  }
  await expect(measure({ cells: asked, tool: "fio" })).rejects.toThrow(/^Synced appends can be measured/);
});

test("the order of a sweep is drawn from its seed", () => {
  const order = (seed: number) =>
    inDrawnOrder(sweepCells(sweepPresets.quick), seed).map((each) => JSON.stringify(each));
  expect(order(1)).toEqual(order(1));
  expect(order(1)).not.toEqual(order(2));
  expect(order(1).sort()).toEqual(order(2).sort());
  expect(new Set(order(1)).size).toBe(24);
  expect(sweepCells(sweepPresets.full)).toHaveLength(104);
});
