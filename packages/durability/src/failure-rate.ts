/**
 * Annual failure rates from counts: AFR = failures / drive days * 365. Failures at a constant rate follow a Poisson
 * distribution, so the exact interval of the expected count is Garwood's (1936), [chi2(a/2, 2f) / 2, chi2(1 - a/2, 2f +
 * 2) / 2], and a fleet's own failures update a published rate by the conjugate gamma distribution: shape + failures,
 * rate + drive years.
 */
import { gammaQuantile } from "@stashlight/stats/gamma";
import { DurabilityError, requireCount, requireWithin } from "./error.ts";

const YEAR_DAYS = 365;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface RateEstimate extends Interval {
  /** Failures per drive-year. */
  readonly value: number;
}

/** Estimates failures per drive-year with an exact Poisson interval; `confidence` is 0.95 for a 95 % interval. */
export function estimateFailureRate(failures: number, driveDays: number, confidence = 0.95): RateEstimate {
  requireWithin(driveDays, "The number of drive days", Number.MIN_VALUE, 1e15);
  const years = driveDays / YEAR_DAYS;
  const { low, high } = poissonInterval(failures, confidence);
  return { value: failures / years, low: low / years, high: high / years };
}

/** Garwood's interval of the expected number of events, given `count` observed ones. */
export function poissonInterval(count: number, confidence = 0.95): Interval {
  requireCount(count, "The number of failures", 0, Number.MAX_SAFE_INTEGER);
  requireWithin(confidence, "The confidence", 0.5, 1 - 1e-12);
  const outside = (1 - confidence) / 2;
  return {
    low: count === 0 ? 0 : gammaQuantile(outside, count),
    high: gammaQuantile(1 - outside, count + 1),
  };
}

/** Prior knowledge equivalent to `failures` in `driveYears`; both above 0, not necessarily integers. */
export interface RatePrior {
  readonly failures: number;
  readonly driveYears: number;
}

/**
 * Returns a prior of the same mean with a weight of at most `failuresMax` failures, because knowledge from similar
 * drives should count less than the drives themselves.
 */
export function limitPrior({ failures, driveYears }: RatePrior, failuresMax: number): RatePrior {
  const share = Math.min(1, failuresMax / failures);
  return { failures: failures * share, driveYears: driveYears * share };
}

/** Failures per drive-year after observing the fleet's own drives, with the central interval of the posterior. */
export function updateFailureRate(
  prior: RatePrior,
  seen: { readonly failures: number; readonly driveYears: number },
  confidence = 0.95,
): RateEstimate {
  if (!(prior.failures > 0 && prior.driveYears > 0)) {
    throw new DurabilityError("A prior rate needs failures and drive years above 0.");
  }
  requireCount(seen.failures, "The number of failures", 0, Number.MAX_SAFE_INTEGER);
  requireWithin(seen.driveYears, "The number of drive years", 0, 1e12);
  const shape = prior.failures + seen.failures;
  const years = prior.driveYears + seen.driveYears;
  const outside = (1 - confidence) / 2;
  return {
    value: shape / years,
    low: gammaQuantile(outside, shape) / years,
    high: gammaQuantile(1 - outside, shape) / years,
  };
}
