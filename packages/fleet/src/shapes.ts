/**
 * Distributions of durations: log-normal around a median, with a share of slow values around another median. Draws are
 * cached and reused, because a fleet has thousands of histograms per second.
 */
import {
  ExponentialHistogram,
  type PackedHistogram,
  packedQuantiles,
  packHistogram,
} from "@stashlight/telemetry";
import { below, normal, uniform } from "./random.ts";

interface Shape {
  /** In the metric's unit. */
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly deviation: number;
  readonly slowShare?: number;
  readonly slowMedian?: number;
  readonly isWhole?: true;
}

const shapes = {
  hddSync: { median: 0.012, deviation: 0.45, slowShare: 0.03, slowMedian: 0.09 },
  sickHddSync: { median: 0.035, deviation: 0.8, slowShare: 0.15, slowMedian: 0.6 },
  ssdSync: { median: 0.00035, deviation: 0.35, slowShare: 0.005, slowMedian: 0.004 },
  podWrite: { median: 0.0004, deviation: 0.5, slowShare: 0.01, slowMedian: 0.006 },
  stashWrite: { median: 0.0011, deviation: 0.4, slowShare: 0.01, slowMedian: 0.007 },
  shardAck: { median: 0.0013, deviation: 0.5, slowShare: 0.01, slowMedian: 0.009 },
  smallUpload: { median: 0.0068, deviation: 0.4, slowShare: 0.01, slowMedian: 0.045 },
  largeUpload: { median: 0.11, deviation: 0.55, slowShare: 0.02, slowMedian: 0.8 },
  podQuorum: { median: 0.003, deviation: 0.4, slowShare: 0.005, slowMedian: 0.02 },
  stashQuorum: { median: 0.0042, deviation: 0.4, slowShare: 0.01, slowMedian: 0.025 },
  encode: { median: 0.0006, deviation: 0.2 },
  get: { median: 0.0031, deviation: 0.5, slowShare: 0.01, slowMedian: 0.04 },
  list: { median: 0.04, deviation: 0.6 },
  flushQueue: { median: 2.2, deviation: 0.4 },
  sickFlushQueue: { median: 9, deviation: 0.7 },
  purgeLag: { median: 6, deviation: 0.5 },
  latePurgeLag: { median: 900, deviation: 0.6 },
  groupCommit: { median: 1.6, deviation: 0.6, isWhole: true },
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;

export interface DrawnHistogram {
  readonly packed: PackedHistogram;
  /** p50, p99, p999. */
  readonly quantiles: readonly [number, number, number];
}

const VARIANTS = 48;
/** Number of variants among which a series cycles. */
const VARIANTS_OF_SERIES = 6;
/** Limit on drawn samples: with more, only this many are drawn and each counts several times. */
const DRAWN_MAX = 800;
/** Counts are rounded to powers of 1.15, which bounds the cache. */
const COUNT_STEP = Math.log(1.15);

const names = Object.keys(shapes) as ShapeName[];
const kept = new Map<number, DrawnHistogram>();

/** Draws about `count` samples of a series at a moment. */
export function drawHistogram(
  name: ShapeName,
  count: number,
  moment: number,
  series: number,
): DrawnHistogram {
  const step = Math.max(0, Math.round(Math.log(Math.max(1, count)) / COUNT_STEP));
  const shapeIndex = names.indexOf(name);
  const ofSeries = below(VARIANTS, series, 51);
  const variant = (ofSeries + below(VARIANTS_OF_SERIES, moment, series, shapeIndex)) % VARIANTS;
  const key = (step * names.length + shapeIndex) * VARIANTS + variant;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const drawn = draw(shapes[name], Math.round(Math.exp(step * COUNT_STEP)), key);
  kept.set(key, drawn);
  return drawn;
}

function draw(shape: Shape, count: number, seed: number): DrawnHistogram {
  const times = Math.ceil(count / DRAWN_MAX);
  const drawn = new ExponentialHistogram();
  for (let i = 0; i < Math.ceil(count / times); i += 1) drawn.record(drawSample(shape, seed, i));
  const once = drawn.content();
  const content = {
    ...once,
    zeroCount: once.zeroCount * times,
    sum: once.sum * times,
    buckets: once.buckets.map(([index, each]) => [index, each * times] as const),
  };
  const packed = packHistogram(content);
  return {
    packed,
    quantiles: packedQuantiles(packed, [500_000, 990_000, 999_000]) as [number, number, number],
  };
}

function drawSample(
  { median, deviation, slowShare, slowMedian, isWhole }: Shape,
  seed: number,
  i: number,
): number {
  const isSlow = slowMedian !== undefined && uniform(seed, i, 1) < (slowShare ?? 0);
  const value = (isSlow ? slowMedian : median) * Math.exp(deviation * normal(seed, i, 2));
  return isWhole ? Math.max(1, Math.round(value)) : value;
}
