import type { DiskCellResult, DiskCellRow, DriveComparison } from "@stashlight/contracts/disk";
import { expect, test } from "vitest";
import {
  comparisonPictures,
  latencyFigure,
  latencyPictures,
  overTimePictures,
  secondsFigure,
  sweepPictures,
} from "./cell-figures.ts";

const latency = { n: 100, meanUs: 90, p50Us: 80, p99Us: 200, p999Us: null, maxUs: 300 };
function makeCellRow(iops: number[], of: Partial<DiskCellResult["cell"]> = {}, place = 0): DiskCellRow {
  return {
    place,
    repetition: 0,
    limit: null,
    model: null,
    result: {
      cell: {
        access: "random",
        readShare: 1,
        blockBytes: 4_096,
        queueDepth: 1,
        syncsWrites: false,
        secondsMax: 10,
        roundSeconds: null,
        ...of,
      },
      seconds: iops.length,
      readsPerSecond: iops[0] ?? 0,
      writesPerSecond: 0,
      read: latency,
      write: latency,
      steadyState: null,
      perSecond: { iops, meanUs: iops.map(() => 90) },
      writtenBytes: 0,
    },
  };
}

test("the finding and the model are shown beside each second, in the chart and in its table", () => {
  const row = {
    ...makeCellRow([400, 100]),
    limit: { sentence: "It steps down.", fitted: [400, 100] },
    model: { name: "EBS gp2 of 100 GiB", iops: [3_000, 3_000], errorShare: 5, sentence: "It is off." },
  };
  const figure = secondsFigure(row);
  expect(figure.marks.map(({ label }) => label)).toEqual(["measured", "finding", "EBS gp2 of 100 GiB"]);
  expect(figure.rows).toEqual([
    [0, 400, 90, 400, 3_000],
    [1, 100, 90, 100, 3_000],
  ]);
});

test("a second in which nothing ended has no latency", () => {
  expect(latencyFigure(makeCellRow([400, 0])).rows).toEqual([
    [0, 90],
    [1, null],
  ]);
});

test("runs of a sweep are drawn as one point with their range", () => {
  const cells = [
    makeCellRow([100]),
    makeCellRow([300]),
    makeCellRow([200]),
    makeCellRow([50], { blockBytes: 65_536 }),
  ];
  const [picture, ...others] = sweepPictures(cells, "iops");
  expect(others).toEqual([]);
  expect(picture?.title).toBe("Random access");
  expect(picture?.figure.rows).toEqual([
    ["reads, queue depth 1", 4_096, 200, 100, 300],
    ["reads, queue depth 1", 65_536, 50, null, null],
  ]);
});

const figure = (iops: number, p50Us: number) => ({
  iops,
  interval: null,
  p50Us,
  p99Us: null,
  hostCount: 1,
  runCount: 1,
  spread: null,
});
const cellAt = (blockBytes: number, queueDepth: number) => ({
  access: "random" as const,
  readShare: 1,
  blockBytes,
  queueDepth,
  syncsWrites: false,
});
const group = (name: string) => ({
  name,
  driveNames: [name],
  hostCount: 1,
  isModelled: false,
  pricePerMonth: null,
});
const comparison: DriveComparison = {
  groups: [group("north"), group("south")],
  confidence: 0.95,
  overTime: [],
  cells: [
    { cell: cellAt(4_096, 1), title: "a", figures: [figure(1_000, 900), figure(500, 1_900)], verdicts: [] },
    { cell: cellAt(4_096, 32), title: "b", figures: [figure(9_000, 3_500), null], verdicts: [] },
    { cell: cellAt(65_536, 1), title: "c", figures: [figure(800, 1_200), figure(400, 2_400)], verdicts: [] },
  ],
};

test("groups are drawn as series of one chart per load, in IOPS or in MB/s", () => {
  const [first, second] = comparisonPictures(comparison, "iops");
  expect([first?.title, second?.title]).toEqual([
    "Random reads, queue depth 1",
    "Random reads, queue depth 32",
  ]);
  expect(first?.figure.rows).toHaveLength(4);
  expect(second?.figure.rows).toEqual([["north", 4_096, 9_000, null, null]]);
  const [inBytes] = comparisonPictures(comparison, "bytes");
  expect(inBytes?.figure.rows[0]).toEqual(["north", 4_096, 4.096, null, null]);
});

test("latency is drawn against IOPS if a group has several queue depths", () => {
  const [picture, ...others] = latencyPictures(comparison);
  expect(others).toEqual([]);
  expect(picture?.title).toBe("Random reads of 4 KiB");
  expect(picture?.figure.marks.map(({ label }) => label)).toEqual(["north"]);
});

test("latency over time has a chart for each load, a row for each drive, and gaps where nothing ended", () => {
  const row = { group: "north", driveName: "host-1/data", title: "random reads of 4 KiB", stepSeconds: 2 };
  const [first, second, ...others] = overTimePictures({
    ...comparison,
    overTime: [
      { ...row, meanUs: [200, null] },
      { ...row, group: "host-2/data", driveName: "host-2/data", meanUs: [400, 400] },
      { ...row, title: "random writes of 4 KiB", meanUs: [100] },
    ],
  });
  expect(others).toEqual([]);
  expect(first?.title).toBe("Random reads of 4 KiB");
  expect(second?.title).toBe("Random writes of 4 KiB");
  expect(first?.figure.rows).toEqual([
    ["north: host-1/data", 0, 0.2],
    ["north: host-1/data", 2, null],
    ["host-2/data", 0, 0.4],
    ["host-2/data", 2, 0.4],
  ]);
});
