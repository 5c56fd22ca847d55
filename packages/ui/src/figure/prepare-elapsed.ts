import { makeValueAxis, niceAtLeast, toAxis } from "../chart/axes.ts";
import type { ChartTone } from "../chart/model.ts";
import { chooseUnit, formatIn, type Quantity } from "../chart/units.ts";
import type { FigureMark, PreparedFigure } from "./model.ts";

export interface ElapsedLine {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly isDashed?: boolean;
  /** In ascending order of time; joined by straight lines, so a step is two points at one time. */
  readonly points: readonly (readonly [seconds: number, value: number])[];
}

export interface ElapsedInput {
  readonly seconds: number;
  readonly quantity: Quantity;
  readonly lines: readonly ElapsedLine[];
  readonly columns: PreparedFigure["columns"];
  readonly rows: PreparedFigure["rows"];
}

const X_LABELS_MAX = 5;
/** With more points, only the minimum and maximum of each stretch are kept, because finer detail is invisible. */
const POINTS_MAX = 1_200;

/** Lines over elapsed time, from zero. */
export function prepareElapsed(input: ElapsedInput): PreparedFigure {
  const { seconds, quantity, lines, columns, rows } = input;
  let largest = 0;
  for (const { points } of lines) for (const [, value] of points) largest = Math.max(largest, value);
  const { axis, unit } = makeValueAxis({ quantity, mayBeLog: false, values: [largest] });
  const place = ([at, value]: readonly [number, number]): readonly [number, number] => [
    at / seconds,
    toAxis(axis, value) / axis.max,
  ];
  return {
    marks: lines.map(
      ({ id, label, tone, isDashed, points }): FigureMark => ({
        kind: "line",
        id,
        label,
        tone,
        isDashed: isDashed ?? false,
        points: thinned(points).map(place),
      }),
    ),
    xTicks: elapsedTicks(seconds),
    yTicks: axis.ticks.map(({ at, label }) => ({
      at: at / axis.max,
      label: `${label} ${unit.name}`.trim(),
    })),
    xLabel: "since the start",
    hasNames: false,
    columns,
    rows,
    isEmpty: !(seconds > 0) || lines.every(({ points }) => points.length === 0),
  };
}

export function elapsedTicks(seconds: number) {
  const unit = chooseUnit("seconds", seconds);
  const step = niceAtLeast(seconds / unit.size / (X_LABELS_MAX - 1));
  const count = Math.floor(seconds / unit.size / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, i) => {
    const at = i * step * unit.size;
    return { at: at / seconds, label: i === 0 ? "0" : `${formatIn(unit, at)} ${unit.name}` };
  });
}

type Points = ElapsedLine["points"];

/** Keeps peaks and both ends, in order. */
function thinned(points: Points): Points {
  if (points.length <= POINTS_MAX) return points;
  const size = Math.ceil(points.length / (POINTS_MAX / 4));
  const kept: (readonly [number, number])[] = [];
  for (let from = 0; from < points.length; from += size) {
    const stretch = points.slice(from, from + size);
    const least = stretch.reduce((low, point, i) => (point[1] < (stretch[low]?.[1] ?? 0) ? i : low), 0);
    const most = stretch.reduce((high, point, i) => (point[1] > (stretch[high]?.[1] ?? 0) ? i : high), 0);
    const indexes = new Set([0, Math.min(least, most), Math.max(least, most), stretch.length - 1]);
    for (const index of indexes) {
      const point = stretch[index];
      if (point !== undefined) kept.push(point);
    }
  }
  return kept;
}
