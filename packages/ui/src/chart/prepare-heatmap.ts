import { makeTightLogAxis, toAxis } from "./axes.ts";
import type { ChartTone, PreparedChart, Reading } from "./model.ts";
import { type ChartInput, chartFrame } from "./prepare-lines.ts";
import { formatIn, formatWith } from "./units.ts";

export interface HeatmapInput extends ChartInput {
  readonly tone: ChartTone;
  readonly endMs: readonly number[];
  /** Row r counts values from `bounds[r]` to `bounds[r + 1]`. */
  readonly bounds: readonly number[];
  /** `counts[column][row]`. */
  readonly counts: readonly (readonly number[])[];
}

type Cell = readonly [number, number, number, number, number];

/**
 * Shows how often each range of values occurred per window. Colour follows the logarithm of the count, so that one
 * stall among ten thousand syncs is visible; a range that did not occur has no cell.
 */
export function prepareHeatmap(input: HeatmapInput): PreparedChart {
  const { bounds, counts, endMs, stepMs, tone } = input;
  const rows = bounds.slice(0, -1).map((low, row) => ({ low, high: bounds[row + 1] ?? low, row }));
  const used = rows.filter(({ row }) => counts.some((column) => (column[row] ?? 0) > 0));
  const lowest = used[0]?.row ?? 0;
  const shown = rows.slice(lowest, (used.at(-1)?.row ?? -1) + 1);
  // A logarithmic scale has no lower bound for zeros, so their row gets the height of the row above.
  const positive = shown.find(({ low }) => low > 0);
  const least = shown[0]?.low || (positive === undefined ? 1 : positive.low ** 2 / positive.high);
  const { axis, unit } = makeTightLogAxis(least, shown.at(-1)?.high ?? 10, input.quantity);
  const countMax = Math.max(1, ...counts.flat());
  const cells = endMs.flatMap((columnEndMs, column) =>
    shown.flatMap(({ low, high, row }): Cell[] => {
      const count = counts[column]?.[row] ?? 0;
      if (count <= 0) return [];
      return [
        [
          columnEndMs - stepMs,
          columnEndMs,
          toAxis(axis, low),
          toAxis(axis, high),
          shadeLevel(count, countMax),
        ],
      ];
    }),
  );
  const readings = shown.toReversed().map(
    ({ low, high, row }): Reading => ({
      id: `row-${row}`,
      label: `${formatIn(unit, low)} to ${formatWith(unit, high)}`,
      tone,
      weight: "strong",
      points: endMs.map((timeMs, column) => ({ timeMs, value: counts[column]?.[row] ?? 0 })),
    }),
  );
  return {
    ...chartFrame(input, [endMs]),
    unit,
    valueAxis: axis,
    marks: [{ kind: "cells", id: "cells", tone, cells }],
    thresholds: (input.thresholds ?? []).map((limit) => ({ ...limit, at: toAxis(axis, limit.value) })),
    readings,
    readingUnit: { name: "", size: 1 },
    isEmpty: cells.length === 0,
  };
}

/** Keeps a single value distinct from the background, and gives the most frequent range the end of the scale. */
export function shadeLevel(count: number, countMax: number): number {
  return countMax <= 1 ? 1 : 0.15 + (0.85 * Math.log(count)) / Math.log(countMax);
}
