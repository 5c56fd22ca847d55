import { makeValueAxis, toAxis } from "./axes.ts";
import type { ChartRange, ChartTone, LineWeight, Mark, PreparedChart } from "./model.ts";
import { type ChartInput, chartFrame, type LineInput, lineMarks, toReading } from "./prepare-lines.ts";

/** One layer of a stack; its columns have equal length, with one entry per window. */
export interface LayerInput {
  readonly id: string;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight?: LineWeight;
  readonly endMs: readonly number[];
  readonly values: readonly number[];
}

/** Total height of the stack at another time, drawn as a line: a stack behind a stack would hide it. */
export interface PreviousTotal {
  readonly label: string;
  readonly endMs: readonly number[];
  readonly values: readonly number[];
}

export interface BarsInput extends ChartInput {
  readonly layers: readonly LayerInput[];
  readonly previous?: PreviousTotal | null;
  /** Name of the zero line of a counter that never moved and therefore has no series. */
  readonly zeroLabel?: string;
}

/** Stacks layers in the order given, matching windows: a window missing from one layer does not shift another. */
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
  const zero = prepareZero(input, tops);
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
    ...chartFrame(
      input,
      input.layers.map(({ endMs }) => endMs),
    ),
    unit,
    valueAxis: axis,
    marks: [...marks, ...[...zero, ...lines].flatMap((line) => lineMarks(line, axis, input))],
    thresholds: thresholds.map((limit) => ({ ...limit, at: toAxis(axis, limit.value) })),
    readings: [...input.layers, ...(tops.size === 0 ? zero : []), ...lines].map(toReading),
    isEmpty: tops.size === 0 && zero.length === 0,
    zeroUntilMs: [...tops.values()].every((top) => top === 0) ? zero[0]?.endMs.at(-1) : undefined,
  };
}

/**
 * Draws windows without counts as a line at zero: those in the layers, and those before the first layer in which nodes
 * reported.
 */
function prepareZero(
  { layers, range, stepMs, reported = [], zeroLabel }: BarsInput,
  tops: ReadonlyMap<number, number>,
): LineInput[] {
  const counted = [...tops].flatMap(([endMs, top]) => (top === 0 ? [endMs] : []));
  const firstMs = [...tops.keys()].reduce((least, endMs) => Math.min(least, endMs - stepMs), range.toMs);
  const before = reported.flatMap((span) =>
    spanWindows({ ...span, toMs: Math.min(span.toMs, firstMs) }, range, stepMs),
  );
  const endMs = [...(zeroLabel === undefined ? [] : before), ...counted].sort((a, b) => a - b);
  if (endMs.length === 0) return [];
  const tone = layers.length === 0 ? "good" : "unknown";
  return [{ id: "zero", label: zeroLabel ?? "none", tone, endMs, values: endMs.map(() => 0) }];
}

/** Ends of the whole windows within a span. */
function spanWindows(span: ChartRange, range: ChartRange, stepMs: number): number[] {
  const [fromMs, toMs] = [Math.max(span.fromMs, range.fromMs), Math.min(span.toMs, range.toMs)];
  const count = stepMs > 0 ? Math.floor((toMs - fromMs) / stepMs) : 0;
  return Array.from({ length: count }, (_, i) => fromMs + (i + 1) * stepMs);
}
