/** Horizontal bars, tornado diagrams, curves over years, and distributions of counts. */
import { makeValueAxis } from "../chart/axes.ts";
import type { ChartTone, ValueAxis } from "../chart/model.ts";
import type { Quantity } from "../chart/units.ts";
import type { FigureMark, FigureTick, PreparedFigure } from "./model.ts";

const BAR_SHARE = 0.6;

const axisShare = (axis: ValueAxis, value: number): number => (value - axis.min) / (axis.max - axis.min);
const axisTicks = (axis: ValueAxis, unit = ""): FigureTick[] =>
  axis.ticks.map(({ at, label }) => ({ at: axisShare(axis, at), label: `${label} ${unit}`.trim() }));
const rowPosition = (row: number, count: number): number => 1 - (row + 0.5) / count;
const round = (value: number): number => Number(value.toPrecision(6));

const empty = (xLabel: string, columns: readonly string[]): PreparedFigure => ({
  marks: [],
  xTicks: [],
  yTicks: [],
  xLabel,
  hasNames: false,
  columns,
  rows: [],
  isEmpty: true,
});

export interface RowInput {
  readonly label: string;
  readonly value: number;
  readonly tone: ChartTone;
  /** Shown in the table. */
  readonly note: string;
}

/** Bars from zero, with a limit to compare them with. */
export function prepareRows(
  rows: readonly RowInput[],
  options: { readonly xLabel: string; readonly limit?: { readonly value: number; readonly label: string } },
): PreparedFigure {
  const columns = ["What", options.xLabel, "Note"];
  if (rows.length === 0) return empty(options.xLabel, columns);
  const { limit } = options;
  const { axis } = makeValueAxis({
    quantity: "count",
    mayBeLog: false,
    values: [...rows.map(({ value }) => value), limit?.value ?? 0],
  });
  const bars = rows.map(
    ({ label, value, tone }, row): FigureMark => ({
      kind: "rows",
      id: `${row} ${label}`,
      label: null,
      tone,
      rows: [[rowPosition(row, rows.length), 0, axisShare(axis, value), BAR_SHARE / rows.length]],
    }),
  );
  return {
    marks: limit === undefined ? bars : [...bars, upright(axisShare(axis, limit.value), limit.label)],
    xTicks: axisTicks(axis),
    yTicks: rows.map(({ label }, row) => ({ at: rowPosition(row, rows.length), label })),
    xLabel: limit === undefined ? options.xLabel : `${options.xLabel}; dashed: ${limit.label}`,
    hasNames: true,
    columns,
    rows: rows.map(({ label, value, note }) => [label, round(value), note]),
    isEmpty: false,
  };
}

const upright = (at: number, id: string): FigureMark => ({
  kind: "line",
  id,
  label: null,
  tone: "warning",
  isDashed: true,
  points: [
    [at, 0],
    [at, 1],
  ],
});

export interface TornadoInput {
  readonly label: string;
  /** Result with the input at its low and at its high end. */
  readonly atLow: number;
  readonly atHigh: number;
  readonly note: string;
}

/** Shows how far each input moves the result to either side; rows keep their order. */
export function prepareTornado(
  rows: readonly TornadoInput[],
  {
    middle,
    xLabel,
    ends,
  }: { readonly middle: number; readonly xLabel: string; readonly ends: [string, string] },
): PreparedFigure {
  const columns = ["Input", ...ends.map((end) => `${xLabel}, ${end}`), "Note"];
  if (rows.length === 0) return empty(xLabel, columns);
  const { axis } = makeValueAxis({
    quantity: "count",
    mayBeLog: false,
    values: [...rows.flatMap(({ atLow, atHigh }) => [atLow, atHigh]), middle],
  });
  const at = axisShare(axis, middle);
  const side = (id: string, tone: ChartTone, of: (row: TornadoInput) => number): FigureMark => ({
    kind: "rows",
    id,
    label: id,
    tone,
    rows: rows.map((input, row) => {
      const other = axisShare(axis, of(input));
      return [
        rowPosition(row, rows.length),
        Math.min(at, other),
        Math.max(at, other),
        BAR_SHARE / rows.length,
      ];
    }),
  });
  return {
    marks: [
      side(ends[0], "direct", ({ atLow }) => atLow),
      side(ends[1], "stash", ({ atHigh }) => atHigh),
      upright(at, "present"),
    ],
    xTicks: axisTicks(axis),
    yTicks: rows.map(({ label }, row) => ({ at: rowPosition(row, rows.length), label })),
    xLabel,
    hasNames: true,
    columns,
    rows: rows.map(({ label, atLow, atHigh, note }) => [label, round(atLow), round(atHigh), note]),
    isEmpty: false,
  };
}

export interface CurveInput {
  readonly label: string;
  readonly tone: ChartTone;
  readonly isDashed: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Measured points beside the curves. */
export interface CloudInput {
  readonly label: string;
  readonly tone: ChartTone;
  readonly isHollow: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** Curves from zero upwards over a horizontal axis with custom ticks. */
export function prepareCurves(
  curves: readonly CurveInput[],
  {
    quantity,
    yLabel,
    xLabel,
    xTicks,
    xMax,
    clouds = [],
  }: {
    readonly quantity: Quantity;
    readonly yLabel: string;
    readonly xLabel: string;
    readonly xTicks: readonly { readonly x: number; readonly label: string }[];
    readonly xMax: number;
    readonly clouds?: readonly CloudInput[];
  },
): PreparedFigure {
  const all = [...clouds, ...curves];
  const columns = [xLabel, ...all.map(({ label }) => `${label}, ${yLabel}`)];
  const points = all.flatMap((each) => each.points);
  if (points.length === 0 || xMax <= 0) return empty(xLabel, columns);
  const { axis, unit } = makeValueAxis({ quantity, mayBeLog: false, values: points.map(([, y]) => y) });
  const xs = [...new Set(points.map(([x]) => x))].sort((a, b) => a - b);
  const lookUp = all.map((each) => new Map(each.points));
  const place = ([x, y]: readonly [number, number]) => [x / xMax, axisShare(axis, y)] as const;
  return {
    marks: [
      ...clouds.map(({ label, tone, isHollow, points: ofCloud }) => ({
        kind: "points" as const,
        id: label,
        label,
        tone,
        isHollow,
        points: ofCloud.map(place),
      })),
      ...curves.map(({ label, tone, isDashed, points: ofCurve }) => ({
        kind: "line" as const,
        id: label,
        label,
        tone,
        isDashed,
        points: ofCurve.map(place),
      })),
    ],
    xTicks: xTicks.map(({ x, label }) => ({ at: x / xMax, label })),
    yTicks: axisTicks(axis, unit.name),
    xLabel,
    hasNames: false,
    columns,
    rows: xs.map((x) => [
      x,
      ...lookUp.map((values) => {
        const y = values.get(x);
        return y === undefined ? null : round(y);
      }),
    ]),
    isEmpty: false,
  };
}

export interface CountBar {
  readonly from: number;
  readonly to: number;
  /** Share of the total. */
  readonly share: number;
}

/** Distribution of counts as shares of the total; each count has its own bar. */
export function prepareCounts(bars: readonly CountBar[], xLabel: string): PreparedFigure {
  const columns = ["From", "To", "Share, %"];
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return empty(xLabel, columns);
  const { axis, unit } = makeValueAxis({
    quantity: "ratio",
    mayBeLog: false,
    values: bars.map(({ share }) => share),
  });
  const width = last.to + 1 - first.from;
  const place = (count: number): number => (count - first.from) / width;
  const every = Math.max(1, Math.ceil(bars.length / 5));
  return {
    marks: [
      {
        kind: "bars",
        id: "counts",
        label: null,
        tone: "accent-ink",
        bars: bars
          .filter(({ share }) => share > 0)
          .map(({ from, to, share }) => [place(from), place(to + 1), axisShare(axis, share)] as const),
      },
    ],
    xTicks: bars
      .filter((_, i) => i % every === 0)
      .map(({ from, to }) => ({
        at: (place(from) + place(to + 1)) / 2,
        label: from === to ? `${from}` : `${from}–${to}`,
      })),
    yTicks: axisTicks(axis, unit.name),
    xLabel,
    hasNames: false,
    columns,
    rows: bars.map(({ from, to, share }) => [from, to, round(share * 100)]),
    isEmpty: false,
  };
}
