import type { Mark, PreparedChart } from "./model.ts";

/** More lines than this are named in a list above the chart instead of at their ends. */
const DIRECT_LABELS_MAX = 4;

export const LABEL_HEIGHT_PX = 14;
/** More labels of annotations would cover each other. */
export const ANNOTATION_LABELS_MAX = 6;
/** Labels of neighbouring annotations are below each other. */
export const ANNOTATION_LINES = 3;

/** Lines that need a name; those of the compared period go with the line that they lie behind. */
const namedLines = ({ marks }: PreparedChart) =>
  marks.filter(
    (mark) =>
      mark.kind === "line" && mark.weight !== "previous" && mark.points.some(([, value]) => value !== null),
  );

/** Whether the lines are named at their ends; otherwise the list above the chart names them. */
export function hasEndLabels(chart: PreparedChart): boolean {
  const lineCount = namedLines(chart).length;
  const isOnlyLines = chart.marks.every(({ kind }) => kind === "line" || kind === "band");
  return isOnlyLines && lineCount > 1 && lineCount <= DIRECT_LABELS_MAX;
}

const LABEL_CHARACTER_PX = 6.2;
const LABELS_PX_MIN = 64;
/** More would take the picture its place on a phone; longer names end in an ellipsis. */
const LABELS_PX_MAX = 128;

/** The room at the right of the plot in which the names of its lines stand. */
export function endLabelsWidthPx(chart: PreparedChart): number {
  const ids = new Set(namedLines(chart).map(({ id }) => id));
  const named = chart.readings.filter(({ id }) => ids.has(id));
  const longest = Math.max(0, ...named.map(({ label }) => label.length));
  return Math.min(LABELS_PX_MAX, Math.max(LABELS_PX_MIN, Math.ceil(longest * LABEL_CHARACTER_PX) + 8));
}

const AXIS_LABELS_PX_MIN = 48;

/** The room at the left of the plot for the labels of its axis. */
export function axisLabelsWidthPx({ valueAxis }: PreparedChart): number {
  const longest = Math.max(0, ...valueAxis.ticks.map(({ label }) => label.length));
  return Math.max(AXIS_LABELS_PX_MIN, Math.ceil(longest * LABEL_CHARACTER_PX) + 12);
}

export interface EndLabel {
  readonly id: string;
  /** Distance of the label's middle from the top of the plot. */
  readonly topPx: number;
}

/**
 * Where the names of lines stand at the right edge: beside the last value, moved apart where they would overlap, never
 * outside the plot. Their order is that of the lines' levels over the whole range, so that names do not change places
 * when the newest values of two lines do.
 */
export function placeEndLabels(chart: PreparedChart, plotHeightPx: number, lineHeightPx: number): EndLabel[] {
  const { min, max } = chart.valueAxis;
  const wanted = namedLines(chart).flatMap((mark) => {
    if (mark.kind !== "line") return [];
    const last = mark.points.findLast(([, value]) => value !== null)?.[1];
    if (last === undefined || last === null) return [];
    return [{ id: mark.id, level: levelOf(mark), topPx: (1 - (last - min) / (max - min)) * plotHeightPx }];
  });
  const placed = wanted.sort((a, b) => b.level - a.level);
  let freeFromPx = lineHeightPx / 2;
  const down = placed.map(({ id, topPx }) => {
    const at = Math.max(topPx, freeFromPx);
    freeFromPx = at + lineHeightPx;
    return { id, topPx: at };
  });
  let freeUntilPx = plotHeightPx - lineHeightPx / 2;
  return down
    .toReversed()
    .map(({ id, topPx }) => {
      const at = Math.min(topPx, freeUntilPx);
      freeUntilPx = at - lineHeightPx;
      return { id, topPx: at };
    })
    .toReversed();
}

/** The mean of what is drawn of a line, in axis space. */
function levelOf({ points }: Extract<Mark, { kind: "line" }>): number {
  const values = points.flatMap(([, value]) => value ?? []);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
