/**
 * Annual failure rates from counts: AFR = failures / drive days * 365. Failures of a constant rate are Poisson, so the
 * exact interval of the expected count is Garwood's (1936), [chi2(a/2, 2f) / 2, chi2(1 - a/2, 2f + 2) / 2], and a fleet's
 * own failures update a published rate by the conjugate gamma distribution: shape + failures, rate + drive years.
 */
import { gammaQuantile } from "@stashlight/stats/gamma";
import { DurabilityError, requireCount, requireWithin } from "./error.ts";

const YEAR_DAYS = 365;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface RateEstimate extends Interval {
  /** Failures a drive-year. */
  readonly value: number;
}

/** Failures a drive-year with their exact Poisson interval; `confidence` is 0.95 for a 95 % interval. */
export function estimateFailureRate(failures: number, driveDays: number, confidence = 0.95): RateEstimate {
  requireWithin(driveDays, "The number of drive days", Number.MIN_VALUE, 1e15);
  const years = driveDays / YEAR_DAYS;
  const { low, high } = poissonInterval(failures, confidence);
  return { value: failures / years, low: low / years, high: high / years };
}

/** Garwood's interval of the expected number of events of which `count` happened. */
export function poissonInterval(count: number, confidence = 0.95): Interval {
  requireCount(count, "The number of failures", 0, Number.MAX_SAFE_INTEGER);
  requireWithin(confidence, "The confidence", 0.5, 1 - 1e-12);
  const outside = (1 - confidence) / 2;
  return {
    low: count === 0 ? 0 : gammaQuantile(outside, count),
    high: gammaQuantile(1 - outside, count + 1),
  };
}

/** Prior knowledge, as if `failures` had been seen in `driveYears`; both above 0, not necessarily whole. */
export interface RatePrior {
  readonly failures: number;
  readonly driveYears: number;
}

/**
 * A prior of the same mean that counts like at most `failuresMax` failures: knowledge from drives that are alike and not the
 * same weighs no more than that.
 */
export function limitPrior({ failures, driveYears }: RatePrior, failuresMax: number): RatePrior {
  const share = Math.min(1, failuresMax / failures);
  return { failures: failures * share, driveYears: driveYears * share };
}

/** Failures a drive-year after own drives were seen, with the central interval of the posterior. */
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
