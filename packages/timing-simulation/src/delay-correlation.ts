/**
 * Correlated delays: the shards of an upload go through the same processes at the same moment, so where one is slow the
 * others mostly are too. Each delay keeps its own distribution; only their ranks are correlated, by normal variables
 * with one common factor per upload (a one-factor Gaussian copula: R. B. Nelsen, An Introduction to Copulas; P.
 * Embrechts, A. McNeil, D. Straumann, 2002):
 *
 *     slowness of a shard   z = sqrt(a) U + sqrt(1 - a) e      a: correlation of the shards of one set
 *     of its upload's set   U = sqrt(b) G + sqrt(1 - b) A      b: correlation of an upload's two sets
 *     rank among all        normal share below z
 *
 * with G of the upload, A of the upload and the set, e of the shard, each of mean 0 and variance 1.
 */

export type ShardSet = "pods" | "stash";

/** Correlation of an upload's messages, from 0 (independent) to 1 (equally slow). */
export interface DelayCorrelation {
  readonly pods: number;
  readonly stash: number;
  /** Correlation between the two sets of an upload. */
  readonly sets: number;
}

const COMMON_SALT = 1;
const SET_SALTS = { pods: 2, stash: 3 } as const;
const SHARD_SALTS = { pods: 1000, stash: 2000 } as const;

export interface ShardOfUpload {
  readonly upload: number;
  readonly set: ShardSet;
  readonly shard: number;
}

/** Returns G, A or e: fixed for a seed, upload, set and shard. */
export interface Factors {
  readonly common: number;
  readonly ofSet: number;
  readonly own: number;
}

export function drawFactors(seed: number, { upload, set, shard }: ShardOfUpload): Factors {
  return {
    common: inverseNormal(hashed(seed, upload, COMMON_SALT)),
    ofSet: inverseNormal(hashed(seed, upload, SET_SALTS[set])),
    own: inverseNormal(hashed(seed, upload, SHARD_SALTS[set] + shard)),
  };
}

/** Returns z, which rises with the rank. */
export function combineSlowness(
  alike: DelayCorrelation,
  set: ShardSet,
  { common, ofSet, own }: Factors,
): number {
  const within = alike[set];
  const ofUpload = Math.sqrt(alike.sets) * common + Math.sqrt(1 - alike.sets) * ofSet;
  return Math.sqrt(within) * ofUpload + Math.sqrt(1 - within) * own;
}

/** Draws the rank of a shard's slowness among all, above 0 and below 1. */
export function drawRank(
  { alike, seed }: { readonly alike: DelayCorrelation; readonly seed: number },
  shard: ShardOfUpload,
): number {
  return normalShareBelow(combineSlowness(alike, shard.set, drawFactors(seed, shard)));
}

/** Returns a uniform number in (0, 1), by three rounds of the finaliser of MurmurHash3. */
function hashed(seed: number, upload: number, salt: number): number {
  const mixed = finalised(finalised(finalised(seed | 0) ^ (upload | 0)) ^ Math.imul(salt, 0x9e3779b1));
  return (mixed + 0.5) / 2 ** 32;
}

function finalised(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

const CENTRAL_TOP = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1,
  2.506628277459239,
];
const CENTRAL_BOTTOM = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1,
  1,
];
const TAIL_TOP = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const TAIL_BOTTOM = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1];
const TAIL_SHARE = 0.02425;

const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/**
 * Returns the z below which this share of the standard normal distribution is, by P. J. Acklam's approximation, to
 * 1.2e-9. Every message of a simulated hour needs it, so it does not search to the last bits as the quantile of
 * packages/stats does.
 */
export function inverseNormal(share: number): number {
  if (share < TAIL_SHARE) return normalTail(share);
  if (share > 1 - TAIL_SHARE) return -normalTail(1 - share);
  const middle = share - 0.5;
  const square = middle * middle;
  return (polynomial(CENTRAL_TOP, square) * middle) / polynomial(CENTRAL_BOTTOM, square);
}

function normalTail(share: number): number {
  const x = Math.sqrt(-2 * Math.log(share));
  return polynomial(TAIL_TOP, x) / polynomial(TAIL_BOTTOM, x);
}

const ERF = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592, 0];

/** Draws of service times must be below 1. */
const BELOW_ONE = 1 - Number.EPSILON;

/** Returns the share of the standard normal distribution below z, to 1e-7 (M. Abramowitz, I. A. Stegun, 7.1.26). */
export function normalShareBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const upper = (polynomial(ERF, t) * Math.exp(-x * x)) / 2;
  return z < 0 ? upper : Math.min(BELOW_ONE, 1 - upper);
}
