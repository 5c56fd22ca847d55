/**
 * Simulated endpoints with a known truth: runs of two endpoints that are equally fast, or not, and the reasons why runs
 * differ.
 */
import { type Random, randomNormal } from "../../random.ts";
import { legFigures, type RunFigures, type RunMoments } from "../../run-series.ts";

export interface World {
  readonly name: string;
  /** Standard deviation of a run's level, as a share of it. */
  readonly runDeviation: number;
  /** Correlation of neighbouring samples of a run. */
  readonly correlation: number;
  /** Share by which b takes longer than a. */
  readonly effect: number;
  readonly shape: "normal" | "skewed" | "pareto" | "coarse clock";
  /** Share of its samples that each endpoint fails. */
  readonly failedShares: readonly [a: number, b: number];
  /**
   * "slowest": an endpoint fails its slowest samples. "bursts": runs fail half of their samples, by chance. "whole
   * runs": runs fail all of them.
   */
  readonly failing: "at random" | "slowest" | "bursts" | "whole runs";
  /** Relative slowdown of both endpoints from the first to the sixtieth slot, with a daily cycle of half of it. */
  readonly drift: number;
  /** Relative slowdown of the endpoint that is measured first in a slot; every other slot reverses the order. */
  readonly orderEffect: number;
  /** Correlation between the levels of an endpoint's runs in neighbouring slots. */
  readonly slotCorrelation: number;
  readonly samplesARun: number;
}

export const quietWorld: World = {
  name: "quiet",
  runDeviation: 0,
  correlation: 0,
  effect: 0,
  shape: "normal",
  failedShares: [0, 0],
  failing: "at random",
  drift: 0,
  orderEffect: 0,
  slotCorrelation: 0,
  samplesARun: 100,
};

export const LEVEL_MS = 100;
const SAMPLE_DEVIATION = 0.15;
const CLOCK_MS = 10;
/** Tail index with a finite variance and an infinite third moment. */
const PARETO_INDEX = 2.5;
/** Standard deviation of the logarithm of a skewed sample. */
const SKEW = 0.5;
const SLOTS_OF_DRIFT = 60;
const SLOTS_A_DAY = 4;

export interface SimulatedPair {
  readonly a: RunFigures;
  readonly b: RunFigures;
}

/** Returns runs of both endpoints in `slotCount` slots, with the figures that a store keeps for them. */
export function simulatePair(world: World, slotCount: number, random: Random): SimulatedPair {
  const levels = simulateLevels(world, slotCount, random.uint32);
  const side = (of: 0 | 1): RunFigures =>
    simulateSide(world, levels[of], world.failedShares[of], random.uint32);
  return { a: side(0), b: side(1) };
}

/** Returns the first `slotCount` slots, as seen at a look. */
export const firstSlots = (figures: RunFigures, slotCount: number): RunMoments =>
  someSlots(figures, 0, slotCount);

export function someSlots(figures: RunFigures, from: number, end: number): RunMoments {
  return {
    slotsMs: Float64Array.from({ length: end - from }, (_, slot) => from + slot),
    means: figures.mean.subarray(from, end),
    medians: figures.median.subarray(from, end),
    failedShares: figures.failedShare.subarray(from, end),
  };
}

function simulateLevels(world: World, slotCount: number, uint32: () => number): [Float64Array, Float64Array] {
  const levels: [Float64Array, Float64Array] = [new Float64Array(slotCount), new Float64Array(slotCount)];
  const deviations = [randomNormal(uint32), randomNormal(uint32)];
  const { slotCorrelation, runDeviation, drift, orderEffect, effect } = world;
  const fresh = Math.sqrt(1 - slotCorrelation ** 2);
  let first = 0;
  for (let slot = 0; slot < slotCount; slot += 1) {
    const shared =
      1 + (drift * slot) / SLOTS_OF_DRIFT + (drift / 2) * Math.sin((2 * Math.PI * slot) / SLOTS_A_DAY);
    first = slot % 2 === 1 ? 1 - first : uint32() % 2;
    for (const side of [0, 1] as const) {
      deviations[side] = slotCorrelation * (deviations[side] as number) + fresh * randomNormal(uint32);
      const own = Math.max(0.05, 1 + runDeviation * (deviations[side] as number));
      const ofOrder = side === first ? 1 + orderEffect : 1;
      levels[side][slot] = LEVEL_MS * shared * own * ofOrder * (side === 1 ? 1 + effect : 1);
    }
  }
  return levels;
}

function simulateSide(
  world: World,
  levels: Float64Array,
  failedShare: number,
  uint32: () => number,
): RunFigures {
  const values: number[] = [];
  const offsets = [0];
  const censoredCounts: number[] = [];
  for (const level of levels) {
    const samples = simulateSamples(world, level, uint32);
    const ok = withoutFailed(world, samples, failedShare, uint32);
    censoredCounts.push(samples.length - ok.length);
    for (const value of ok) values.push(value);
    offsets.push(values.length);
  }
  const slotsMs = Float64Array.from(levels, (_, slot) => slot);
  return legFigures(
    { slotsMs, offsets, values: Float64Array.from(values), censoredCounts },
    "a simulated endpoint",
  );
}

/** Returns the samples of one run, in the order in which they are taken. */
export function simulateSamples(world: World, level: number, uint32: () => number): Float64Array {
  const { correlation, shape, samplesARun } = world;
  const fresh = Math.sqrt(1 - correlation ** 2);
  const samples = new Float64Array(samplesARun);
  let latent = randomNormal(uint32);
  for (let i = 0; i < samplesARun; i += 1) {
    samples[i] = level * shapes[shape](latent);
    latent = correlation * latent + fresh * randomNormal(uint32);
  }
  return shape === "coarse clock" ? samples.map((value) => CLOCK_MS * Math.round(value / CLOCK_MS)) : samples;
}

const normal = (latent: number): number => Math.max(0.01, 1 + SAMPLE_DEVIATION * latent);
const shapes: Record<World["shape"], (latent: number) => number> = {
  normal,
  skewed: (latent) => Math.exp(SKEW * latent),
  pareto: (latent) => normalTail(latent) ** (-1 / PARETO_INDEX),
  "coarse clock": normal,
};

/** Returns the long-run mean of a's samples, without drift or failures. */
export function meanOfWorld({ shape, orderEffect }: World): number {
  const ofShape = { normal: 1, "coarse clock": 1, skewed: Math.exp(SKEW ** 2 / 2), pareto: paretoMean() }[
    shape
  ];
  return LEVEL_MS * ofShape * (1 + orderEffect / 2);
}

export const medianOfWorld = ({ shape }: World): number => LEVEL_MS * shapes[shape](0);

/** Uses the midpoint rule over the latent normal distribution, because its share is an approximation. */
function paretoMean(): number {
  const step = 1e-4;
  let mean = 0;
  for (let z = -9; z < 9; z += step) {
    mean += shapes.pareto(z + step / 2) * Math.exp(-((z + step / 2) ** 2) / 2) * step;
  }
  return mean / Math.sqrt(2 * Math.PI);
}

/** Logistic curve nearest to the normal distribution, which is precise enough for a heavy tail. */
const normalTail = (z: number): number => 1 / (1 + Math.exp(1.5976 * z + 0.07056 * z ** 3));

function withoutFailed(
  { failing }: World,
  samples: Float64Array,
  failedShare: number,
  uint32: () => number,
): Float64Array {
  if (failedShare === 0) return samples;
  const chance = (): number => uint32() / 2 ** 32;
  if (failing === "slowest") {
    const limit = samples.toSorted()[Math.floor((1 - failedShare) * samples.length)] as number;
    return samples.filter((value) => value < limit);
  }
  if (failing === "whole runs") return chance() < failedShare ? new Float64Array() : samples;
  const share = failing === "bursts" ? (chance() < 2 * failedShare ? 0.5 : 0) : failedShare;
  return samples.filter(() => chance() >= share);
}
