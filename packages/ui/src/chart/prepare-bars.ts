import { makeValueAxis, toAxis } from "./axes.ts";
import type { ChartTone, LineWeight, Mark, PreparedChart } from "./model.ts";
import { type ChartInput, frameOf, type LineInput, marksOf, readingOf } from "./prepare-lines.ts";

/** One layer of a stack; columns of equal length, a place for each window. */
export interface LayerInput {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight?: LineWeight;
  readonly endMs: readonly number[];
  readonly values: readonly number[];
}

/** The height of the whole stack at another time, as a line: a stack behind a stack would hide it. */
export interface PreviousTotal {
  readonly label: string;
  readonly endMs: readonly number[];
  readonly values: readonly number[];
}

export interface BarsInput extends ChartInput {
  readonly layers: readonly LayerInput[];
  readonly previous?: PreviousTotal | null;
}

/** Layers stack in the order given, each window on its own: a window that one layer lacks is not shifted in another. */
export function prepareBars(input: BarsInput): PreparedChart {
  const tops = new Map<number, number>();
  const stacked = input.layers.map((layer) => ({
    layer,
    bars: layer.endMs.map((endMs, i) => {
      const base = tops.get(endMs) ?? 0;
      const top = base + (layer.values[i] ?? 0);
      tops.set(endMs, top);
      return { endMs, base, top };
    }),
  }));
  const thresholds = input.thresholds ?? [];
  const lines: LineInput[] = input.previous
    ? [{ ...input.previous, id: "previous", tone: "unknown", weight: "previous" }]
    : [];
  const { axis, unit } = makeValueAxis({
    quantity: input.quantity,
    mayBeLog: false,
    values: [...tops.values(), ...(input.previous?.values ?? []), ...thresholds.map(({ value }) => value)],
  });
  const marks = stacked.map(
    ({ layer: { id, tone, weight = "strong" }, bars }): Mark => ({
      kind: "bars",
      id,
      tone,
      weight,
      bars: bars
        .filter(({ base, top }) => top > base)
        .map(({ endMs, base, top }) => [endMs - input.stepMs, endMs, toAxis(axis, base), toAxis(axis, top)]),
    }),
  );
  return {
    ...frameOf(
      input,
      input.layers.map(({ endMs }) => endMs),
    ),
    unit,
    valueAxis: axis,
    marks: [...marks, ...lines.flatMap((line) => marksOf(line, axis, input.stepMs))],
    thresholds: thresholds.map((limit) => ({ ...limit, at: toAxis(axis, limit.value) })),
    readings: [...input.layers, ...lines].map(readingOf),
    isEmpty: tops.size === 0,
  };
}
