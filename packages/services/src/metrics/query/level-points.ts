/** Points of gauges, and the rules by which the cells in one point are combined. */
import type { MergedSeries } from "./points.ts";

export interface Level {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly last: number;
}

/** A point as the sum of the cells that were added to it. */
export interface LevelPoint extends Level {
  readonly bin: number;
  readonly seriesCount: number;
  readonly weight: number;
}

export function joined(
  before: LevelPoint,
  { min, max, avg, last, seriesCount, weight }: LevelPoint,
): LevelPoint {
  const both = before.weight + weight;
  return {
    bin: before.bin,
    min: Math.min(before.min, min),
    max: Math.max(before.max, max),
    avg: (before.avg * before.weight + avg * weight) / both,
    last,
    seriesCount: Math.max(before.seriesCount, seriesCount),
    weight: both,
  };
}

/** Counts the cells of a sum with the most series, because a sum of fewer would show as a fall. */
export function fuller(before: LevelPoint, point: LevelPoint): LevelPoint {
  if (before.seriesCount === point.seriesCount) return joined(before, point);
  const [most, fewer] = before.seriesCount > point.seriesCount ? [before, point] : [point, before];
  return { ...most, max: Math.max(most.max, fewer.max) };
}

/** Points of fewer series than an earlier one. */
export function summarisePartial(points: readonly LevelPoint[]): MergedSeries["partial"] {
  let [most, pointCount, seriesCount] = [0, 0, 0];
  let least = Number.POSITIVE_INFINITY;
  for (const point of points) {
    most = Math.max(most, point.seriesCount);
    if (point.seriesCount === most) continue;
    pointCount += 1;
    if (point.seriesCount < least) [least, seriesCount] = [point.seriesCount, most];
  }
  return pointCount === 0 ? null : { pointCount, seriesCountMin: least, seriesCount };
}
