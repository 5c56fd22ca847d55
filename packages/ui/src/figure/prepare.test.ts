import { expect, test } from "vitest";
import { prepareBySize, prepareHistogram, prepareIntervals, prepareSamples } from "./prepare.ts";

test("every sample is placed, and failures are distinguishable", () => {
  const figure = prepareSamples([
    { index: 0, seconds: 0.1, kind: "ok" },
    { index: 1, seconds: 0.2, kind: "ok" },
    { index: 2, seconds: 0.2, kind: "failed" },
  ]);
  expect(figure.marks).toMatchObject([
    {
      id: "ok",
      points: [
        [0, 0.5],
        [0.5, 1],
      ],
    },
    { id: "failed", isHollow: true, points: [[1, 1]] },
  ]);
  expect(figure.rows[2]).toEqual([2, 200, "failed"]);
  expect(figure.yTicks.at(-1)?.label).toBe("200 ms");
});

test("a histogram counts every sample once, for a narrow and a wide range", () => {
  for (const seconds of [
    [0.1, 0.11, 0.2, 0.19],
    [0.001, 0.01, 0.1, 1],
  ]) {
    const figure = prepareHistogram(seconds);
    expect(figure.rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(seconds.length);
  }
});

test("an interval is drawn only for a mean that has one, and each mean as a dot", () => {
  const tone = "stash" as const;
  const figure = prepareIntervals([
    { label: "B2", seconds: 0.118, lowSeconds: 0.115, highSeconds: 0.121, tone },
    { label: "S3 (published)", seconds: 0.157, lowSeconds: null, highSeconds: null, tone, isReference: true },
  ]);
  expect(figure.marks.map(({ kind }) => kind)).toEqual(["intervals", "points", "points"]);
  expect(figure.yTicks).toEqual([
    { at: 0.75, label: "B2" },
    { at: 0.25, label: "S3 (published)" },
  ]);
  expect(figure.rows[1]).toEqual(["S3 (published)", 157, null, null]);
});

test("sizes are ordered, and a single one is centred", () => {
  const point = (sizeBytes: number) => ({
    sizeBytes,
    sizeLabel: `${sizeBytes} B`,
    value: 0.1,
    low: 0.09,
    high: 0.11,
  });
  const two = prepareBySize([{ label: "B2", tone: "stash", points: [point(1000), point(10)] }]);
  expect(two.xTicks.map(({ label }) => label)).toEqual(["10 B", "1000 B"]);
  expect(prepareBySize([{ label: "B2", tone: "stash", points: [point(1000)] }]).xTicks[0]?.at).toBe(0.5);
  expect(two.rows[0]).toEqual(["B2", 1000, 100, 90, 110]);
});

test("a figure without data is reported as empty", () => {
  expect([prepareSamples([]), prepareHistogram([]), prepareIntervals([]), prepareBySize([])]).toEqual(
    Array.from({ length: 4 }, () => expect.objectContaining({ isEmpty: true })),
  );
});
