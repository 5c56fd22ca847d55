/** Generates series of limited and unlimited drives from a seed. */
import { createRandom, randomNormal } from "../random.ts";

export type Noise = (second: number) => number;

/** Factors around 1 for each second; `spread` is their standard deviation. */
export const noises = {
  none: () => () => 1,
  normal: (seed: number, spread = 0.05): Noise => {
    const { uint32 } = createRandom(seed);
    return () => Math.max(0, 1 + spread * randomNormal(uint32));
  },
  /** Log-normal: mostly near 1, sometimes far off. */
  heavyTailed: (seed: number, spread = 0.15): Noise => {
    const { uint32 } = createRandom(seed);
    return () => Math.exp(spread * randomNormal(uint32) - spread ** 2 / 2);
  },
  /** Autoregressive drift that returns to the mean within some 50 seconds, with added noise. */
  drifting: (seed: number, spread = 0.12): Noise => {
    const { uint32 } = createRandom(seed);
    const persistence = 0.98;
    let state = spread * randomNormal(uint32);
    return () => {
      state = persistence * state + spread * Math.sqrt(1 - persistence ** 2) * randomNormal(uint32);
      return Math.max(0, 1 + state + 0.03 * randomNormal(uint32));
    };
  },
  /** Random seconds in which the drive collects garbage and does only a third of its work. */
  stalling: (seed: number): Noise => {
    const { uint32 } = createRandom(seed);
    let left = 0;
    return () => {
      if (left > 0) left -= 1;
      else if (uint32() / 2 ** 32 < 0.02) left = 1 + (uint32() % 3);
      return (left > 0 ? 0.33 : 1) * Math.max(0, 1 + 0.05 * randomNormal(uint32));
    };
  },
  /** Steady decline by three tenths over half an hour. */
  declining: (seed: number): Noise => {
    const { uint32 } = createRandom(seed);
    return (second) => Math.max(0, 1 - (0.3 * second) / 1_800 + 0.05 * randomNormal(uint32));
  },
  /** Changing neighbours: levels between 0.5 and 1 that hold for a minute or several. */
  neighbours: (seed: number): Noise => {
    const { uint32 } = createRandom(seed);
    let level = 1;
    let left = 90;
    return () => {
      if (left === 0) {
        level = level < 0.8 ? 1 : 0.5 + 0.25 * (uint32() / 2 ** 32);
        left = 60 + (uint32() % 240);
      }
      left -= 1;
      return level * Math.max(0, 1 + 0.05 * randomNormal(uint32));
    };
  },
} as const;

export interface BucketLimits {
  readonly burst: number;
  readonly base: number;
  readonly bucket: number;
}

/** Rates of a drive with the capability `burst`, behind a bucket that is full at the start. */
export function behindBucket(
  seconds: number,
  { burst, base, bucket }: BucketLimits,
  noise: Noise,
): Float64Array {
  let tokens = bucket;
  return Float64Array.from({ length: seconds }, (_, second) => {
    const possible = burst * noise(second);
    const done = Math.min(possible, tokens + base);
    tokens = Math.min(bucket, tokens + base - done);
    return done;
  });
}

export const rateSeries = (seconds: number, rate: number, noise: Noise): Float64Array =>
  Float64Array.from({ length: seconds }, (_, second) => rate * noise(second));
