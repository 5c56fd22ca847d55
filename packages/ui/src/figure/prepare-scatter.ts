/**
 * Scatter plot of two values per item, such as price against use, and a limit that separates sufficient from
 * insufficient items.
 */
import { makeValueAxis } from "../chart/axes.ts";
import type { ChartTone, ValueAxis } from "../chart/model.ts";
import type { FigureMark, FigureTick, PreparedFigure } from "./model.ts";

export interface ScatterGroup {
  readonly label: string;
  readonly tone: ChartTone;
  readonly isHollow: boolean;
  readonly points: readonly ScatterPoint[];
}

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  /** Table columns before and after the two values. */
  readonly name: string;
  readonly note: string;
}

export interface ScatterOptions {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly yUnit: string;
  readonly nameLabel: string;
  /** A named dashed line across the plot. */
  readonly limit: { readonly y: number; readonly label: string };
}

const axisShare = (axis: ValueAxis, value: number): number => (value - axis.min) / (axis.max - axis.min);
const axisTicks = (axis: ValueAxis, unit: string): FigureTick[] =>
  axis.ticks.map(({ at, label }) => ({ at: axisShare(axis, at), label: `${label}${unit}` }));
const round = (value: number): number => Number(value.toPrecision(6));

export function prepareScatter(groups: readonly ScatterGroup[], options: ScatterOptions): PreparedFigure {
  const { xLabel, yLabel, yUnit, nameLabel, limit } = options;
  const points = groups.flatMap((group) => group.points);
  const makeAxis = (values: readonly number[]): ValueAxis =>
    makeValueAxis({ quantity: "count", mayBeLog: false, values: [...values] }).axis;
  const xAxis = makeAxis(points.map(({ x }) => x));
  const yAxis = makeAxis([...points.map(({ y }) => y), limit.y]);
  const marks = groups
    .filter((group) => group.points.length > 0)
    .map(
      (group): FigureMark => ({
        kind: "points",
        id: group.label,
        label: group.label,
        tone: group.tone,
        isHollow: group.isHollow,
        points: group.points.map(({ x, y }) => [axisShare(xAxis, x), axisShare(yAxis, y)] as const),
      }),
    );
  const at = axisShare(yAxis, limit.y);
  return {
    marks: [
      {
        kind: "line",
        id: "limit",
        label: limit.label,
        tone: "warning",
        isDashed: true,
        points: [
          [0, at],
          [1, at],
        ],
      },
      ...marks,
    ],
    xTicks: axisTicks(xAxis, ""),
    yTicks: axisTicks(yAxis, yUnit),
    xLabel,
    hasNames: false,
    columns: [nameLabel, xLabel, yLabel, "Note"],
    rows: points.map(({ name, x, y, note }) => [name, round(x), round(y), note]),
    isEmpty: points.length === 0,
  };
}
