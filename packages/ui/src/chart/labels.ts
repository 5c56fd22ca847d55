import type { PreparedChart } from "./model.ts";

/** With more lines, a legend replaces the names at line ends. */
const DIRECT_LABELS_MAX = 4;

export const LABEL_HEIGHT_PX = 14;
/** Limit on annotation labels; more would overlap. */
export const ANNOTATION_LABELS_MAX = 6;
/** Staggers neighbouring annotation labels over this number of rows. */
export const ANNOTATION_LINES = 3;

/** Lines that need a name; a line of the compared period shares its current line's name. */
const namedLines = ({ marks }: PreparedChart) =>
  marks.filter(
    (mark) =>
      mark.kind === "line" && mark.weight !== "previous" && mark.points.some(([, value]) => value !== null),
  );

/** Returns true if lines are named at their ends rather than in a legend. */
export function hasEndLabels(chart: PreparedChart): boolean {
  const lineCount = namedLines(chart).length;
  const isOnlyLines = chart.marks.every(({ kind }) => kind === "line" || kind === "band");
  return isOnlyLines && lineCount > 1 && lineCount <= DIRECT_LABELS_MAX;
}

const LABEL_CHARACTER_PX = 6.2;
const LABELS_PX_MIN = 64;
/** Maximum width of a line name, which leaves room for the plot on a phone; longer names end in an ellipsis. */
const LABELS_PX_MAX = 128;

/** Width at the right of the plot for line names. */
export function endLabelsWidthPx(chart: PreparedChart): number {
  const ids = new Set(namedLines(chart).map(({ id }) => id));
  const named = chart.readings.filter(({ id }) => ids.has(id));
  const longest = Math.max(0, ...named.map(({ label }) => label.length));
  return Math.min(LABELS_PX_MAX, Math.max(LABELS_PX_MIN, Math.ceil(longest * LABEL_CHARACTER_PX) + 8));
}

const AXIS_LABELS_PX_MIN = 48;

/** Width at the left of the plot for axis labels. */
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
 * Places line names at the right edge, in the order of last values: beside the line, or moved by as little as avoids
 * overlap, and always inside the plot.
 */
export function placeEndLabels(chart: PreparedChart, plotHeightPx: number, lineHeightPx: number): EndLabel[] {
  const { min, max } = chart.valueAxis;
  const wanted = namedLines(chart)
    .flatMap((mark) => {
      if (mark.kind !== "line") return [];
      const last = mark.points.findLast(([, value]) => value !== null)?.[1];
      if (last === undefined || last === null) return [];
      return [{ id: mark.id, topPx: (1 - (last - min) / (max - min)) * plotHeightPx }];
    })
    .sort((a, b) => a.topPx - b.topPx);
  const firstsPx = spreadApart(
    wanted.map(({ topPx }) => topPx),
    lineHeightPx,
  );
  const lowestPx = plotHeightPx - lineHeightPx / 2;
  return wanted.map(({ id }, i) => {
    const below = (wanted.length - 1 - i) * lineHeightPx;
    const above = lineHeightPx / 2 + i * lineHeightPx;
    return { id, topPx: Math.max(above, Math.min(firstsPx[i] ?? 0, lowestPx - below)) };
  });
}

/**
 * Moves ascending positions at least `apart` from each other with the least squared displacement: overlapping
 * neighbours become a group around the mean of their wanted positions.
 */
function spreadApart(places: readonly number[], apart: number): number[] {
  const groups: { first: number; count: number }[] = [];
  for (const place of places) {
    let group = { first: place, count: 1 };
    for (let before = groups.at(-1); before !== undefined; before = groups.at(-1)) {
      if (before.first + before.count * apart <= group.first) break;
      groups.pop();
      const count = before.count + group.count;
      const sum = before.first * before.count + (group.first - before.count * apart) * group.count;
      group = { first: sum / count, count };
    }
    groups.push(group);
  }
  return groups.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i * apart));
}
