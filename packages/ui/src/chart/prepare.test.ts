import { expect, test } from "vitest";
import { findGaps } from "./gaps.ts";
import { endLabelsWidthPx, hasEndLabels, placeEndLabels } from "./labels.ts";
import type { Mark } from "./model.ts";
import { prepareBars } from "./prepare-bars.ts";
import { prepareHeatmap, shadeLevel } from "./prepare-heatmap.ts";
import { type LinesInput, prepareLines } from "./prepare-lines.ts";
import { prepareMultiples } from "./prepare-multiples.ts";
import { readAt, readingTable } from "./readings.ts";

const frame = {
  range: { fromMs: 0, toMs: 100_000 },
  stepMs: 10_000,
  quantity: "seconds",
  utcOffsetMs: 0,
} as const;
const everyWindow = Array.from({ length: 10 }, (_, i) => (i + 1) * 10_000);

const p99: LinesInput = {
  ...frame,
  isLatency: true,
  lines: [
    {
      id: "p99",
      label: "p99",
      tone: "stash",
      endMs: [10_000, 20_000, 60_000, 70_000],
      values: [0.001, 0.002, 0.003, 0.004],
      n: [2_000, 900, 1_000, 5_000],
      sampleCountMin: 1_000,
    },
  ],
};

const linePoints = (marks: readonly Mark[]) =>
  marks.flatMap((mark) => (mark.kind === "line" ? [mark.points] : []));

test("a lasting event is drawn where it overlaps the range, and its reading has the full duration", () => {
  const lasting = (timeMs: number, endMs: number, label: string) => ({
    timeMs,
    label,
    status: "good" as const,
    span: { endMs, href: "/benchmarks" },
  });
  const chart = prepareLines({
    ...p99,
    events: [
      lasting(-60_000, -20_000, "before"),
      lasting(-20_000, 10_000, "into it"),
      lasting(30_000, 70_000, "within"),
      lasting(110_000, 120_000, "after"),
    ],
  });
  expect(chart.events.map(({ label }) => label)).toEqual(["into it", "within"]);
  const toldAt = (timeMs: number) => readAt(chart, timeMs).events;
  expect([5_000, 20_000, 29_000, 50_000, 71_000, 72_000].map(toldAt)).toEqual([
    ["into it"],
    [],
    ["within"],
    ["within"],
    ["within"],
    [],
  ]);
});

test("a labelled period is clipped to the range, and appears in readings while it lasts", () => {
  const span = (startMs: number, endMs: number, label: string) => ({
    startMs,
    endMs,
    label,
    status: "bad" as const,
  });
  const chart = prepareLines({
    ...p99,
    spans: [
      span(-50_000, -1, "before"),
      span(-50_000, 20_000, "firing: p3"),
      span(90_000, 190_000, "firing: p4"),
    ],
  });
  expect(chart.spans).toEqual([span(0, 20_000, "firing: p3"), span(90_000, 100_000, "firing: p4")]);
  expect([10_000, 50_000, 95_000].map((timeMs) => readAt(chart, timeMs).events)).toEqual([
    ["firing: p3"],
    [],
    ["firing: p4"],
  ]);
});

test("a window with too few samples is an explained gap, never a value", () => {
  const chart = prepareLines(p99);
  expect(linePoints(chart.marks)[0]).not.toContainEqual([20_000, expect.any(Number)]);
  expect(readAt(chart, 15_000).readings).toEqual([
    {
      id: "p99",
      label: "p99",
      tone: "stash",
      weight: "strong",
      value: "–",
      detail: "n 900, needs 1000 samples",
    },
  ]);
  expect(readAt(chart, 5_000).readings[0]).toMatchObject({ value: "1 ms", detail: "n 2,000" });
});

test("windows that are not neighbours are not joined", () => {
  expect(linePoints(prepareLines(p99).marks)).toEqual([
    [
      [0, 0.001],
      [10_000, 0.001],
      [10_001, null],
      [60_000, 0.003],
      [70_000, 0.004],
    ],
  ]);
});

test("an unfinished window is drawn at the end of the range without hiding a gap", () => {
  const [line] = p99.lines;
  const unfinished = { ...line, endMs: [110_000], values: [0.004], n: [5_000] } as const;
  const chart = prepareLines({
    ...p99,
    stepMs: 50_000,
    lines: [{ ...unfinished, id: "p99", label: "p99", tone: "stash" }],
  });
  expect(linePoints(chart.marks)).toEqual([
    [
      [50_000, 0.004],
      [100_000, 0.004],
    ],
  ]);
  expect(chart.gaps).toEqual([]);
  expect(readAt(chart, 99_000).readings[0]).toMatchObject({ value: "4 ms" });
  const later = prepareLines({ ...p99, lines: [{ ...unfinished, id: "p99", label: "p99", tone: "stash" }] });
  expect(linePoints(later.marks)).toEqual([
    [
      [100_000, 0.004],
      [110_000, 0.004],
    ],
  ]);
});

test("the share of the total is shown on the axis and beside each reading", () => {
  const used = { id: "used", label: "used", tone: "stash", endMs: [10_000], values: [6e9] } as const;
  const chart = prepareLines({ ...frame, quantity: "bytes", lines: [used], whole: 48e9 });
  expect(chart.valueAxis.ticks.map(({ label }) => label)).toEqual([
    "0 · 0 %",
    "2 · 4.2 %",
    "4 · 8.3 %",
    "6 · 13 %",
  ]);
  expect(readAt(chart, 5_000).readings).toMatchObject([{ value: "6 GB", detail: "13 %" }]);
  const unknown = prepareLines({ ...frame, quantity: "bytes", lines: [used], whole: null });
  expect(unknown.valueAxis.ticks.map(({ label }) => label)).toEqual(["0", "2", "4", "6"]);
});

test("readings list lines from highest to lowest, with the earlier period last", () => {
  const line = (id: string, value: number | null, weight: "strong" | "previous" = "strong") => ({
    id,
    label: id,
    weight,
    endMs: [10_000],
    values: [value],
    tone: "stash" as const,
  });
  const lines = [line("low", 1), line("before", 9, "previous"), line("none", null), line("high", 5)];
  const chart = prepareLines({ ...frame, lines });
  expect(readAt(chart, 5_000).readings.map(({ id }) => id)).toEqual(["high", "low", "none", "before"]);
});

test("a band ends where one of its edges is unknown", () => {
  const [line] = prepareLines({
    ...frame,
    lines: [
      {
        id: "p99",
        label: "p99",
        tone: "stash",
        endMs: everyWindow.slice(0, 4),
        values: [4, 5, 6, 7],
        low: [1, null, 2, 2],
        high: [4, 5, 6, 7],
      },
    ],
  }).marks;
  expect(line).toMatchObject({
    kind: "band",
    runs: [
      [[10_000, 1, 4]],
      [
        [30_000, 2, 6],
        [40_000, 2, 7],
      ],
    ],
  });
});

const lost = [{ startMs: 20_000, endMs: 50_000, reason: "spool full" }];

test.each([
  { name: "nothing missing", times: [everyWindow], gaps: [] },
  { name: "one late window is no gap", times: [[...everyWindow.slice(0, 9), 100_000]], gaps: [] },
  {
    name: "a hole with its reason",
    times: [[10_000, 20_000, 60_000, 70_000, 80_000, 90_000, 100_000]],
    known: lost,
    gaps: [{ startMs: 20_000, endMs: 50_000, reason: "spool full" }],
  },
  {
    name: "a hole that is longer than what is known to be lost",
    times: [[10_000, 20_000, 80_000, 90_000, 100_000]],
    known: lost,
    gaps: [{ startMs: 20_000, endMs: 70_000, reason: "Nothing reported; spool full" }],
  },
  {
    name: "a hole that another series fills",
    times: [[10_000, 20_000, 60_000, 70_000, 80_000, 90_000, 100_000], everyWindow],
    gaps: [],
  },
  {
    name: "before the first window",
    times: [everyWindow.slice(5)],
    gaps: [{ startMs: 0, endMs: 50_000, reason: "Nothing reported" }],
  },
  { name: "what is not due yet", times: [everyWindow.slice(0, 5)], expectedUntilMs: 55_000, gaps: [] },
  { name: "nothing at all", times: [], gaps: [{ startMs: 0, endMs: 100_000, reason: "Nothing reported" }] },
])("the chart finds its gaps: $name", ({ times, known = [], expectedUntilMs = 100_000, gaps }) => {
  expect(findGaps({ range: frame.range, stepMs: 10_000, times, known, expectedUntilMs })).toEqual(gaps);
});

test("the previous total of a stack is drawn as a line, extends the axis, and is included in readings", () => {
  const chart = prepareBars({
    ...frame,
    quantity: "count",
    layers: [{ id: "ok", label: "ok", tone: "stash", endMs: [10_000], values: [10] }],
    previous: { label: "all, the day before", endMs: [10_000, 20_000], values: [30, 40] },
  });
  expect(chart.valueAxis.max).toBe(40);
  expect(chart.marks.map(({ kind }) => kind)).toEqual(["bars", "line"]);
  expect(readAt(chart, 10_000).readings.map(({ label, value }) => [label, value])).toEqual([
    ["ok", "10"],
    ["all, the day before", "30"],
  ]);
  expect(
    prepareBars({ ...frame, layers: [], previous: { label: "", endMs: [1], values: [1] } }).isEmpty,
  ).toBe(true);
});

test("the time before the first measurement is not called lost", () => {
  const gaps = findGaps({
    range: frame.range,
    stepMs: 10_000,
    times: [[60_000, 100_000]],
    known: [],
    expectedUntilMs: 100_000,
    measuredSinceMs: 50_000,
  });
  expect(gaps.map(({ reason }) => reason)).toEqual(["Before the first window", "Nothing reported"]);
});

test("a band is drawn from minimum to maximum, separately for each run", () => {
  const chart = prepareLines({
    ...frame,
    quantity: "bytes",
    lines: [
      {
        id: "used",
        label: "used",
        tone: "stash",
        endMs: [10_000, 20_000, 60_000],
        values: [2e9, 3e9, 4e9],
        low: [1e9, 2e9, 3e9],
        high: [3e9, 4e9, 5e9],
      },
    ],
    thresholds: [{ value: 6e9, label: "capacity 6 GB", tone: "bad" }],
  });
  const band = chart.marks.find(({ kind }) => kind === "band");
  expect(band).toMatchObject({
    runs: [
      [
        [10_000, 1e9, 3e9],
        [20_000, 2e9, 4e9],
      ],
      [[60_000, 3e9, 5e9]],
    ],
  });
  expect(chart.valueAxis).toMatchObject({ scale: "linear", min: 0, max: 6e9 });
  expect(chart.unit.name).toBe("GB");
});

test("the day before is drawn behind the current day without hiding a gap", () => {
  const [line] = p99.lines;
  if (line === undefined) throw new Error("The fixture has a line.");
  const before = {
    ...line,
    id: "before",
    weight: "previous" as const,
    endMs: everyWindow,
    values: everyWindow,
    n: undefined,
  };
  const chart = prepareLines({ ...p99, lines: [line, before] });
  expect(chart.gaps).toEqual(prepareLines(p99).gaps);
  expect(prepareLines({ ...p99, lines: [before] }).isEmpty).toBe(true);
});

test("layers are stacked window by window", () => {
  const chart = prepareBars({
    ...frame,
    quantity: "count",
    layers: [
      { id: "a", label: "a", tone: "stash", endMs: [10_000, 20_000], values: [1, 2] },
      { id: "b", label: "b", tone: "direct", endMs: [20_000, 30_000], values: [3, 0] },
    ],
  });
  expect(chart.marks).toMatchObject([
    {
      bars: [
        [0, 10_000, 0, 1],
        [10_000, 20_000, 0, 2],
      ],
    },
    { bars: [[10_000, 20_000, 2, 5]] },
    { kind: "line", id: "zero" },
  ]);
  expect(chart.valueAxis.max).toBe(6);
  expect(readAt(chart, 25_000).readings.map(({ value }) => value)).toEqual(["0"]);
});

test("a heatmap shows the ranges that occurred, keeps a single value visible, and reads counts", () => {
  const chart = prepareHeatmap({
    ...frame,
    tone: "pod",
    endMs: [10_000, 20_000],
    bounds: [0.0005, 0.001, 0.002, 0.004, 0.008],
    counts: [
      [0, 10_000, 0, 0],
      [0, 100, 1, 0],
    ],
  });
  const [cells] = chart.marks;
  expect(cells?.kind === "cells" ? cells.cells.map(([, , , , level]) => level.toFixed(3)) : []).toEqual([
    "1.000",
    "0.575",
    "0.150",
  ]);
  expect(chart.readings.map(({ label }) => label)).toEqual(["2 to 4 ms", "1 to 2 ms"]);
  expect(readAt(chart, 15_000).readings.map(({ value }) => value)).toEqual(["1", "100"]);
  expect(readAt(chart, 5_000).readings.map(({ label }) => label)).toEqual(["1 to 2 ms"]);
});

test("the colour of a cell follows the logarithm of its count", () => {
  expect(shadeLevel(1, 1)).toBe(1);
  expect(shadeLevel(1, 1_000)).toBeCloseTo(0.15);
  expect(shadeLevel(1_000, 1_000)).toBeCloseTo(1);
});

test("small multiples are drawn on one scale", () => {
  const one = (largest: number): LinesInput => ({
    ...frame,
    lines: [{ id: "x", label: "x", tone: "pod", endMs: [10_000], values: [largest] }],
  });
  const axes = prepareMultiples([one(1), one(4), one(2)]).map(({ valueAxis }) => valueAxis);
  expect(new Set(axes.map(({ max }) => max))).toEqual(new Set([4]));
});

test("the table has every window, newest first, in the chart's unit, with n once", () => {
  const { columns, rows } = readingTable(prepareLines(p99));
  expect(columns.map(({ header }) => header)).toEqual(["Time", "p99, ms", "n"]);
  expect(rows.map((row) => columns.map((column) => column.value?.(row)))).toEqual([
    [new Date(70_000), 4, 5_000],
    [new Date(60_000), 3, 1_000],
    [new Date(20_000), undefined, 900],
    [new Date(10_000), 1, 2_000],
  ]);
});

test("lines of the earlier period have no names of their own", () => {
  const line = { label: "p50", tone: "stash" as const, endMs: [10_000], values: [1] };
  const lines = ["a", "b"].map((id) => ({ ...line, id }));
  const before = lines.map((one) => ({ ...one, id: `${one.id} before`, weight: "previous" as const }));
  const chart = prepareLines({ ...frame, lines: [...lines, ...before] });
  expect(hasEndLabels(chart)).toBe(true);
  expect(placeEndLabels(chart, 100, 14).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("names at line ends swap when the newest values swap", () => {
  const line = (id: string, values: readonly number[]) => ({
    id,
    label: id,
    tone: "stash" as const,
    endMs: everyWindow.slice(0, values.length),
    values,
  });
  const placed = (newest: number) =>
    placeEndLabels(
      prepareLines({ ...frame, lines: [line("p50", [1, 1, 1, newest]), line("p99", [3, 3, 3, 2])] }),
      100,
      14,
    );
  expect(placed(1.9).map(({ id }) => id)).toEqual(["p99", "p50"]);
  const crossed = placed(2.4);
  expect(crossed.map(({ id }) => id)).toEqual(["p50", "p99"]);
  expect((crossed[1]?.topPx ?? 0) - (crossed[0]?.topPx ?? 0)).toBeGreaterThanOrEqual(14);
});

test("a period with late nodes is hatched although it has values, and merged with the gap", () => {
  const chart = prepareLines({
    ...frame,
    lines: [
      {
        id: "used",
        label: "used",
        tone: "stash",
        endMs: everyWindow.slice(0, 6),
        values: [1, 1, 1, 1, 1, 1],
      },
    ],
    late: [{ startMs: 50_000, endMs: 200_000, reason: "1 of 2 nodes has not reported since then: pod-1" }],
  });
  expect(chart.gaps).toEqual([
    { startMs: 50_000, endMs: 100_000, reason: "1 of 2 nodes has not reported since then: pod-1" },
  ]);
});

test("names at line ends stay inside and do not overlap", () => {
  const lines = ["a", "b", "c", "d"].map((id, i) => ({
    id,
    label: id,
    tone: "stash" as const,
    endMs: [10_000],
    values: [i === 3 ? 0 : 1],
  }));
  const places = placeEndLabels(prepareLines({ ...frame, lines }), 60, 14).map(({ topPx }) => topPx);
  places.forEach((topPx, i) => {
    expect(topPx).toBeGreaterThanOrEqual(7);
    expect(topPx).toBeLessThanOrEqual(53);
    if (i > 0) expect(topPx - (places[i - 1] ?? 0)).toBeGreaterThanOrEqual(14);
  });
});

test("line names have the width of the longest, within bounds", () => {
  const widthOf = (label: string) => {
    const line = { tone: "stash" as const, endMs: [10_000], values: [1] };
    const lines = [
      { ...line, id: "a", label: "p50" },
      { ...line, id: "b", label },
    ];
    return endLabelsWidthPx(prepareLines({ ...frame, lines }));
  };
  expect(widthOf("p99")).toBe(64);
  expect(widthOf("direct slowest")).toBe(95);
  expect(widthOf("an endpoint with a name that nobody remembers")).toBe(128);
});
