import { arithmeticMean, squaresAround } from "../sorted.ts";

export interface Period {
  readonly seconds: number;
  /** Share of the variance of the second half of a series that the pattern of its first half predicts. */
  readonly predictedShare: number;
  /** Difference between the highest and the lowest phase of the pattern, as a share of the mean rate. */
  readonly swingShare: number;
}

const SECONDS_MIN = 40;
/** Shorter periods cannot be distinguished from noise in values one second apart. */
const PERIOD_SECONDS_MIN = 2.5;
/** A period is reported only if it repeats at least this often in the first half of the series. */
const REPEATS_MIN = 4;
const HARMONICS = 4;
const CANDIDATES = 5;
const PHASES_MAX = 12;
/** Minimum share of the variance that the pattern predicts; the rest is noise. */
const PREDICTED_SHARE_MIN = 0.3;
const SWING_SHARE_MIN = 0.1;
const MULTIPLES_MAX = 6;
/** Two periods whose predictions differ by at most this share count as equally good. */
const EQUAL_SHARE = 0.05;

/**
 * Returns the period of a rate that regularly rises and falls, or null. Candidates are frequencies whose first
 * harmonics contain most of the power of the first half: a comb in its spectrum. The mean of each phase of the first
 * half then has to predict the second half. Drifting noise has combs by chance, but they do not continue, so this needs
 * no assumption about the colour of the noise.
 */
export function findPeriod(rates: Float64Array): Period | null {
  if (rates.length < SECONDS_MIN) return null;
  const half = rates.length >> 1;
  const first = rates.subarray(0, half);
  if (arithmeticMean(rates) <= 0) return null;
  const found = periodCandidates(first).flatMap((frequency) => judged(rates, half, frequency) ?? []);
  const [best] = found.sort((a, b) => b.predictedShare - a.predictedShare);
  if (best === undefined) return null;
  // A multiple of a period predicts as well as the period itself, so the shortest one is used.
  for (let divisor = MULTIPLES_MAX; divisor > 1; divisor -= 1) {
    if (best.seconds / divisor < PERIOD_SECONDS_MIN) continue;
    const shorter = judged(rates, half, divisor / best.seconds);
    if (shorter !== null && shorter.predictedShare > best.predictedShare - EQUAL_SHARE) return shorter;
  }
  return best;
}

/** Returns the period if the pattern of the first half is large and predicts the second half. */
function judged(rates: Float64Array, half: number, frequency: number): Period | null {
  const seconds = 1 / frequency;
  const pattern = averagePattern(rates.subarray(0, half), seconds);
  const swingShare = (Math.max(...pattern) - Math.min(...pattern)) / arithmeticMean(rates);
  const predictedShare = predictedBy(pattern, rates, half, seconds);
  if (swingShare < SWING_SHARE_MIN || predictedShare < PREDICTED_SHARE_MIN) return null;
  return { seconds, predictedShare, swingShare };
}

/** Frequencies (1/s) with the most power in their first harmonics, no two of them neighbours. */
function periodCandidates(values: Float64Array): number[] {
  const spectrum = powerSpectrum(values);
  const size = 2 * (spectrum.length - 1);
  const lowest = Math.ceil((size * REPEATS_MIN) / values.length);
  const highest = Math.floor(size / PERIOD_SECONDS_MIN);
  const summed: { at: number; power: number }[] = [];
  for (let at = lowest; at <= highest; at += 1) {
    let power = 0;
    for (let harmonic = 1; harmonic <= HARMONICS; harmonic += 1) power += spectrum[at * harmonic] ?? 0;
    summed.push({ at, power });
  }
  summed.sort((a, b) => b.power - a.power);
  const apart = Math.ceil(size / values.length);
  const chosen: number[] = [];
  for (const { at } of summed) {
    if (chosen.length === CANDIDATES) break;
    if (chosen.every((other) => Math.abs(other - at) >= apart)) chosen.push(at);
  }
  return chosen.map((at) => peakNear(spectrum, at) / size);
}

/**
 * Locates a fundamental to a small fraction of a bin, from its strongest harmonic's peak, interpolated by a parabola
 * through three logarithms. The harmonic's own error is divided by its number.
 */
function peakNear(spectrum: Float64Array, at: number): number {
  let harmonic = 1;
  for (let other = 2; other <= HARMONICS; other += 1) {
    if ((spectrum[at * other] ?? 0) > (spectrum[at * harmonic] as number)) harmonic = other;
  }
  let peak = at * harmonic;
  for (let other = peak - harmonic; other <= peak + harmonic; other += 1) {
    if ((spectrum[other] ?? 0) > (spectrum[peak] as number)) peak = other;
  }
  const [before, own, after] = [-1, 0, 1].map((step) => Math.log(spectrum[peak + step] ?? 0)) as [
    number,
    number,
    number,
  ];
  const shift = (before - after) / (2 * (before - 2 * own + after));
  return (peak + (Math.abs(shift) <= 1 ? shift : 0)) / harmonic;
}

/** Uses the middle of a second, so that a period of whole seconds has no second on the border of two phases. */
const phaseIndex = (second: number, seconds: number, count: number): number =>
  Math.min(count - 1, Math.floor((((second + 0.5) / seconds) % 1) * count));

/** Mean of each phase; a phase without seconds gets the overall mean. */
function averagePattern(values: Float64Array, seconds: number): number[] {
  const count = Math.max(2, Math.min(PHASES_MAX, Math.round(seconds)));
  const sums = new Float64Array(count);
  const counts = new Float64Array(count);
  for (const [second, value] of values.entries()) {
    const phase = phaseIndex(second, seconds, count);
    sums[phase] = (sums[phase] as number) + value;
    counts[phase] = (counts[phase] as number) + 1;
  }
  const mean = arithmeticMean(values);
  return Array.from(sums, (sum, phase) => (counts[phase] === 0 ? mean : sum / (counts[phase] as number)));
}

function predictedBy(pattern: readonly number[], rates: Float64Array, from: number, seconds: number): number {
  const rest = rates.subarray(from);
  let missed = 0;
  for (const [i, rate] of rest.entries()) {
    missed += (rate - (pattern[phaseIndex(from + i, seconds, pattern.length)] as number)) ** 2;
  }
  const all = squaresAround(rest, arithmeticMean(rest));
  return all === 0 ? 0 : 1 - missed / all;
}

/** Power spectrum of the values minus their mean, padded with zeros to a power of two at least four times as long. */
function powerSpectrum(values: Float64Array): Float64Array {
  let size = 8;
  while (size < 4 * values.length) size *= 2;
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const mean = arithmeticMean(values);
  for (const [i, value] of values.entries()) real[i] = value - mean;
  transform(real, imaginary);
  return Float64Array.from(
    { length: size / 2 + 1 },
    (_, i) => (real[i] as number) ** 2 + (imaginary[i] as number) ** 2,
  );
}

/** Fast Fourier transform in place (J. W. Cooley, J. W. Tukey 1965), for lengths that are powers of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let i = 1, reversed = 0; i < size; i += 1) {
    let bit = size >> 1;
    for (; (reversed & bit) !== 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (i < reversed) {
      swap(real, i, reversed);
      swap(imaginary, i, reversed);
    }
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k += 1) {
      const angle = (-2 * Math.PI * k) / length;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      for (let start = k; start < size; start += length) {
        const other = start + length / 2;
        const [re, im] = [real[other] as number, imaginary[other] as number];
        const [turnedRe, turnedIm] = [re * cosine - im * sine, re * sine + im * cosine];
        real[other] = (real[start] as number) - turnedRe;
        imaginary[other] = (imaginary[start] as number) - turnedIm;
        real[start] = (real[start] as number) + turnedRe;
        imaginary[start] = (imaginary[start] as number) + turnedIm;
      }
    }
  }
}

function swap(values: Float64Array, i: number, j: number): void {
  const value = values[i] as number;
  values[i] = values[j] as number;
  values[j] = value;
}
