import type { ChartRange, Tick, ValueAxis } from "./model.ts";
import { chooseUnit, type DisplayUnit, formatIn, type Quantity } from "./units.ts";

const LABELS_MAX = 5;
/**
 * Values that may be drawn on a logarithmic scale are, if the ratio of maximum to minimum exceeds
 * this.
 */
const LINEAR_RATIO_MAX = 100;

/** Rounds `value` up to 1, 2 or 5 times a power of ten. */
export function niceAtLeast(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

export interface ValueAxisInput {
  readonly quantity: Quantity;
  /** All values drawn, including limits, in the base unit. */
  readonly values: readonly number[];
  /**
   * True to use a logarithmic scale for a wide range of values; otherwise the scale is linear from
   * zero.
   */
  readonly mayBeLog: boolean;
}

export function makeValueAxis({ quantity, values, mayBeLog }: ValueAxisInput): {
  axis: ValueAxis;
  unit: DisplayUnit;
} {
  let [largest, smallestPositive] = [0, Number.POSITIVE_INFINITY];
  for (const value of values) {
    if (value > largest) largest = value;
    if (value > 0 && value < smallestPositive) smallestPositive = value;
  }
  if (mayBeLog && largest / smallestPositive > LINEAR_RATIO_MAX) {
    const unit = chooseUnit(quantity, Math.sqrt(largest * smallestPositive));
    return { unit, axis: logAxis(smallestPositive, largest, unit) };
  }
  const unit = chooseUnit(quantity, largest);
  return { unit, axis: linearAxis(largest, unit) };
}

function linearAxis(largest: number, unit: DisplayUnit): ValueAxis {
  const amount = largest > 0 ? largest / unit.size : 1;
  const step = niceAtLeast(amount / (LABELS_MAX - 1));
  const tickCount = Math.max(1, Math.ceil(amount / step - 1e-9));
  const ticks = Array.from({ length: tickCount + 1 }, (_, index) => {
    const at = Number((index * step).toPrecision(12)) * unit.size;
    return { at, label: formatIn(unit, at) };
  });
  return { scale: "linear", min: 0, max: tickCount * step * unit.size, ticks };
}

function logAxis(smallest: number, largest: number, unit: DisplayUnit): ValueAxis {
  const lowest = Math.floor(Math.log10(smallest) + 1e-9);
  const decades = Math.max(1, Math.ceil(Math.log10(largest) - 1e-9) - lowest);
  const stepDecades = Math.ceil(decades / (LABELS_MAX - 1));
  // Ends the axis with the decade of the largest value, labelled or not.
  const tickCount = Math.floor(decades / stepDecades);
  const ticks = Array.from({ length: tickCount + 1 }, (_, index) => {
    const at = lowest + index * stepDecades;
    return { at, label: formatIn(unit, 10 ** at) };
  });
  return { scale: "log", min: lowest, max: lowest + decades, ticks };
}

/** Multiples of powers of ten that a short logarithmic axis labels, rounder ones first. */
const roundness: readonly (readonly number[])[] = [[1], [1, 3], [1, 2, 5]];

/** Ticks of a figure that fills the whole plot: two to five labels between two values. */
export function makeTightLogAxis(lowest: number, highest: number, quantity: Quantity) {
  const unit = chooseUnit(quantity, Math.sqrt(lowest * highest));
  const [min, max] = [Math.log10(lowest), Math.log10(highest)];
  const decadeTicks = (factors: readonly number[]): Tick[] => {
    const ticks: Tick[] = [];
    for (let decade = Math.floor(min); decade <= max; decade++) {
      for (const factor of factors) {
        const at = decade + Math.log10(factor);
        if (at >= min - 1e-9 && at <= max + 1e-9) ticks.push({ at, label: formatIn(unit, 10 ** at) });
      }
    }
    return ticks;
  };
  const choices = roundness.map(decadeTicks);
  const most = choices.findLast(({ length }) => length <= LABELS_MAX);
  const ticks =
    most ?? (choices[0] ?? []).filter((_, index, all) => index % Math.ceil(all.length / LABELS_MAX) === 0);
  return { unit, axis: { scale: "log", min, max, ticks } satisfies ValueAxis };
}

/**
 * Maps a value in the base unit to its position on the axis; values that a logarithm cannot show go to the lower end.
 */
export function toAxis(axis: ValueAxis, value: number): number {
  if (axis.scale === "linear") return value;
  return value > 0 ? Math.max(axis.min, Math.log10(value)) : axis.min;
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];
const timeSteps = [
  ...[1, 2, 5, 10, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 30, 60, 120, 365].map((count) => count * DAY),
];

/** Returns at most five round times in the reader's zone, which is `utcOffsetMs` ahead of UTC. */
export function makeTimeTicks(
  { fromMs, toMs }: ChartRange,
  utcOffsetMs: number,
  say: (localMs: number, stepMs: number) => string = timeLabel,
): Tick[] {
  const stepMs = timeSteps.find((step) => (toMs - fromMs) / step <= LABELS_MAX - 1) ?? 730 * DAY;
  const ticks: Tick[] = [];
  const firstMs = Math.ceil((fromMs + utcOffsetMs) / stepMs) * stepMs;
  for (let localMs = firstMs; localMs <= toMs + utcOffsetMs; localMs += stepMs) {
    ticks.push({ at: localMs - utcOffsetMs, label: say(localMs, stepMs) });
  }
  return ticks;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function timeLabel(localMs: number, stepMs: number): string {
  const local = new Date(localMs);
  if (localMs % DAY === 0) return `${local.getUTCDate()} ${months[local.getUTCMonth()]}`;
  return local.toISOString().slice(11, stepMs < MINUTE ? 19 : 16);
}
