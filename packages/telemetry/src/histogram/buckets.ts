/**
 * Buckets of base 2^(1/16), which OpenTelemetry and Prometheus call scale and schema 4. Bucket i holds values above
 * 2^(i/16) up to and including 2^((i+1)/16), as OpenTelemetry numbers them; Prometheus' native histograms call the same
 * bucket i+1. Values up to `ZERO_THRESHOLD` share the zero bucket.
 */

export const SCALE = 4;
export const BUCKETS_PER_OCTAVE = 16;

const OCTAVE_MIN = -20;
const OCTAVE_MAX = 40;

/** About one microsecond, for a metric in seconds. Values up to this threshold count as zero. */
export const ZERO_THRESHOLD = 2 ** OCTAVE_MIN;
/** Above any duration, count or size that can be measured; larger values are refused. */
export const VALUE_MAX = 2 ** OCTAVE_MAX;
export const INDEX_MIN = OCTAVE_MIN * BUCKETS_PER_OCTAVE;
export const INDEX_MAX = OCTAVE_MAX * BUCKETS_PER_OCTAVE - 1;

/**
 * 2^(j/16), each rounded to the nearest double; as literals, so that no platform's `pow` moves a value to a
 * neighbouring bucket.
 */
// biome-ignore format: four by four
const BOUNDS: readonly number[] = [
  1, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
  1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927,
  Math.SQRT2, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
  1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474,
];

const bound = (j: number): number => BOUNDS[j] as number;

/**
 * For each value of the fraction's top eight bits: the number of bounds below all such fractions. At most one more
 * bound falls among them, because neighbouring bounds are more than 2^-8 apart.
 */
const boundsBelow = Uint8Array.from({ length: 256 }, (_, top) => {
  return BOUNDS.filter((each) => each < 1 + top / 256).length;
});
const asNumber = new Float64Array(1);
const asWords = new Uint32Array(asNumber.buffer);
const [LOW, HIGH] = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0];
const FRACTION = 0xfffff;

/** Fraction of the next bound that is not counted, in two words; past the last bound, larger than any fraction. */
const nextBoundHigh = new Uint32Array(256).fill(FRACTION + 1);
const nextBoundLow = new Uint32Array(256);
for (const [top, below] of boundsBelow.entries()) {
  if (below === BUCKETS_PER_OCTAVE) continue;
  asNumber[0] = bound(below);
  nextBoundHigh[top] = (asWords[HIGH] as number) & FRACTION;
  nextBoundLow[top] = asWords[LOW] as number;
}

/**
 * Returns the bucket of a value above `ZERO_THRESHOLD`. Compares the double's own exponent and fraction, without a
 * logarithm.
 */
export function bucketIndex(value: number): number {
  asNumber[0] = value;
  const high = asWords[HIGH] as number;
  const fraction = high & FRACTION;
  const top = fraction >>> 12;
  const next = nextBoundHigh[top] as number;
  const isAbove =
    fraction > next || (fraction === next && (asWords[LOW] as number) > (nextBoundLow[top] as number));
  const octave = (high >>> 20) - 1023;
  return octave * BUCKETS_PER_OCTAVE + (boundsBelow[top] as number) + (isAbove ? 0 : -1);
}

/** Largest value of a bucket. */
export function upperBound(index: number): number {
  const above = index + 1;
  return bound(above & (BUCKETS_PER_OCTAVE - 1)) * 2 ** (above >> SCALE);
}

/** Value that represents a bucket: no value in the bucket differs from it by more than `RELATIVE_ERROR`. */
export function representative(index: number): number {
  const growth = bound(1);
  return (upperBound(index) * 2) / (1 + growth);
}

/** 2.17 %: largest error of a quantile relative to the sample of that rank. */
export const RELATIVE_ERROR = (bound(1) - 1) / (bound(1) + 1);
