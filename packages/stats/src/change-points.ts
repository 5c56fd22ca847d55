import { requireCount, requireValues, requireWithin } from "./error.ts";
import { type Random, shuffle } from "./random.ts";
import { median } from "./sorted.ts";

export interface ChangePointOptions {
  readonly random: Random;
  /** Window size in values, from 8 to 500; windows slide by half of it. */
  readonly windowLength?: number;
  readonly pMax?: number;
  /** Smallest change of the level's median, as a share of the previous level. */
  readonly magnitudeMin?: number;
  /** Minimum number of values in a level, at least 2: with six-hourly runs, four are a day. */
  readonly levelLengthMin?: number;
}

export interface ChangePoint {
  /** Index of the first value of the new level. */
  readonly index: number;
  /** Medians of the levels, from one change point to the next. */
  readonly before: number;
  readonly after: number;
  /** (after - before) / |before|; Infinity if the previous level is zero. */
  readonly change: number;
  /** Share of permutations, including the series itself, that split at least as well. */
  readonly pValue: number;
}

/** Number of permutations needed for p = 0.001; a smaller p needs more. */
const PERMUTATIONS_MIN = 999;
/** Tolerance, because sums of permuted distances are rounded in a different order. */
const ROUNDING = 1 - 1e-12;

/**
 * Finds where the level of a series changes: E-Divisive with means (D. S. Matteson, N. A. James 2014), hierarchically
 * within windows that slide by half their length (as P. Fleming and others do it for long series, ICPE 2023). A split
 * counts if none of 999 permutations of its values splits as well anywhere. Then changes are judged again between their
 * neighbours and dropped, the smallest first, until all are significant, large enough and long enough.
 *
 * `values` are per-run medians, oldest first, in one unit. The same values and seed give the same result. Throws a
 * `StatsError` if a value is not finite or an option is out of bounds; a series too short for two levels has no change
 * points.
 */
export function findChangePoints(values: ArrayLike<number>, options: ChangePointOptions): ChangePoint[] {
  requireValues(values, "values", 0);
  const settings = checkSettings(options);
  const found = new Set<number>();
  const step = settings.windowLength >> 1;
  for (let from = 0; ; from += step) {
    const to = Math.min(values.length, from + settings.windowLength);
    const start = Math.max(0, to - settings.windowLength);
    const window = Float64Array.from({ length: to - start }, (_, i) => values[start + i] as number);
    for (const split of splitsWithin(window, settings)) found.add(start + split);
    if (to === values.length) break;
  }
  return judge(
    values,
    [...found].sort((a, b) => a - b),
    settings,
  );
}

interface Settings {
  readonly windowLength: number;
  readonly pMax: number;
  readonly magnitudeMin: number;
  readonly levelLengthMin: number;
  readonly uint32: () => number;
}

function checkSettings(options: ChangePointOptions): Settings {
  const { random, windowLength = 50, pMax = 0.001, magnitudeMin = 0.05, levelLengthMin = 4 } = options;
  requireCount(windowLength, "The window", 8, 500);
  requireWithin(pMax, "The largest p", 0.0001, 0.5);
  requireWithin(magnitudeMin, "The smallest magnitude", 0, 10);
  requireCount(levelLengthMin, "The shortest level", 2, windowLength >> 1);
  return { windowLength, pMax, magnitudeMin, levelLengthMin, uint32: random.uint32 };
}

function splitsWithin(values: Float64Array, settings: Settings): number[] {
  const splits: number[] = [];
  const open: [from: number, to: number][] = [[0, values.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part;
    const best = bestSplit(values.subarray(from, to), settings);
    if (best === null || best.pValue > settings.pMax) continue;
    splits.push(from + best.at);
    open.push([from, from + best.at], [from + best.at, to]);
  }
  return splits;
}

interface Split {
  readonly at: number;
  readonly pValue: number;
}

function bestSplit(values: Float64Array, settings: Settings): Split | null {
  if (values.length < 2 * settings.levelLengthMin) return null;
  const distances = pairwiseDistances(values);
  const order = Int32Array.from(values, (_, i) => i);
  const { at, divergence } = scan(distances, order, settings.levelLengthMin);
  return { at, pValue: permutationP(distances, order, divergence, settings) };
}

/** Stops as soon as too many permutations split as well, which happens early if there is no change. */
function permutationP(
  distances: Float64Array,
  order: Int32Array,
  observed: number,
  settings: Settings,
): number {
  const count = Math.max(PERMUTATIONS_MIN, Math.ceil(1 / settings.pMax) - 1);
  const permuted = Int32Array.from(order);
  let atLeast = 1;
  for (let i = 0; i < count; i += 1) {
    shuffle(permuted, settings.uint32);
    if (scan(distances, permuted, settings.levelLengthMin).divergence < observed * ROUNDING) continue;
    atLeast += 1;
    if (atLeast / (count + 1) > settings.pMax) return Math.min(1, atLeast / (i + 1));
  }
  return atLeast / (count + 1);
}

/** Computes the distances |x - y| of all pairs of values, row by row. */
function pairwiseDistances(values: Float64Array): Float64Array {
  const count = values.length;
  const distances = new Float64Array(count * count);
  for (let i = 0; i < count; i += 1) {
    for (let j = 0; j < count; j += 1) {
      distances[i * count + j] = Math.abs((values[i] as number) - (values[j] as number));
    }
  }
  return distances;
}

/**
 * Finds the split with the largest divergence of both sides: m n / (m + n) times (twice the mean distance between them
 * minus the mean distances within each). Sums are carried from one split to the next, so a scan takes count^2 steps.
 */
function scan(
  distances: Float64Array,
  order: Int32Array,
  sideMin: number,
): { at: number; divergence: number } {
  const count = order.length;
  let total = 0;
  for (let i = 0; i < count * count; i += 1) total += distances[i] as number;
  total /= 2;
  let left = 0;
  let right = total;
  let at = sideMin;
  let best = Number.NEGATIVE_INFINITY;
  for (let split = 1; split <= count - sideMin; split += 1) {
    const row = (order[split - 1] as number) * count;
    for (let i = 0; i < split - 1; i += 1) left += distances[row + (order[i] as number)] as number;
    for (let i = split; i < count; i += 1) right -= distances[row + (order[i] as number)] as number;
    if (split < sideMin) continue;
    const rest = count - split;
    const between = (2 * (total - left - right)) / (split * rest);
    const within = left / ((split * (split - 1)) / 2) + right / ((rest * (rest - 1)) / 2);
    const divergence = ((split * rest) / count) * (between - within);
    if (divergence > best) {
      best = divergence;
      at = split;
    }
  }
  return { at, divergence: best };
}

function judge(values: ArrayLike<number>, splits: readonly number[], settings: Settings): ChangePoint[] {
  const judged = new Map<string, ChangePoint | null>();
  let left = [...splits];
  for (;;) {
    const points = left.map((index, i) => {
      const from = left[i - 1] ?? 0;
      const to = left[i + 1] ?? values.length;
      const key = `${from} ${index} ${to}`;
      const known = judged.get(key);
      const point = known === undefined ? changeAt(values, from, index, to, settings) : known;
      judged.set(key, point);
      return point;
    });
    const weakest = findWeakest(points, settings);
    if (weakest === null) return points.filter((point) => point !== null);
    left = left.filter((_, i) => i !== weakest);
  }
}

function findWeakest(points: readonly (ChangePoint | null)[], settings: Settings): number | null {
  let weakest: number | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const [i, point] of points.entries()) {
    if (point === null) return i;
    const size = Math.abs(point.change);
    const isWeak = point.pValue > settings.pMax || size < settings.magnitudeMin;
    if (isWeak && (weakest === null || size < smallest)) {
      weakest = i;
      smallest = size;
    }
  }
  return weakest;
}

/** Returns null if a side is too short to be a level. */
function changeAt(
  values: ArrayLike<number>,
  from: number,
  index: number,
  to: number,
  settings: Settings,
): ChangePoint | null {
  if (Math.min(index - from, to - index) < settings.levelLengthMin) return null;
  const slice = (start: number, end: number): Float64Array =>
    Float64Array.from({ length: end - start }, (_, i) => values[start + i] as number);
  const half = settings.windowLength >> 1;
  const near = slice(Math.max(from, index - half), Math.min(to, index + half));
  const best = bestSplit(near, settings);
  const before = median(slice(from, index));
  const after = median(slice(index, to));
  const change = after === before ? 0 : (after - before) / Math.abs(before);
  return { index, before, after, change, pValue: best?.pValue ?? 1 };
}
