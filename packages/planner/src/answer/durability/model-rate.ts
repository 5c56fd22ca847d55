/**
 * Failures per drive-year of a model, from three sources: general knowledge of drives, another operator's counts for
 * this model, and the fleet's own counts. Each is a gamma distribution that updates the previous one, so that a model
 * with no failures, or with nothing but failures, has a rate between zero and certain failure.
 *
 * Another operator's rooms, loads and batches differ, so its counts keep their mean but weigh at most as much as
 * `PUBLISHED_FAILURES_MAX` of the fleet's own failures.
 */
import { annualFailureRates } from "@stashlight/devices";
import {
  estimateFailureRate,
  limitPrior,
  type RateEstimate,
  type RatePrior,
  updateFailureRate,
} from "@stashlight/durability";
import { formatFigure } from "../../format-figures.ts";

export interface FailureCounts {
  readonly driveDays: number;
  readonly failures: number;
}

/** Counts of another operator, with the first and last day that they cover. */
export interface PublishedCounts extends FailureCounts {
  readonly source: string;
  readonly from: string;
  readonly to: string;
}

export interface ModelEvidence {
  readonly model: string;
  /** Null for a model without published or imported counts. */
  readonly published: PublishedCounts | null;
  readonly own: FailureCounts;
}

/** Failures per drive-year over all drives that a large operator publishes. */
export const generalRate = annualFailureRates.hdd;

/** Spread of models in published reports, with a 95 % interval of 0.19 to 4.3 %. */
export const GENERAL_FAILURES = 2;

/** Gives a 95 % interval of 0.48 to 1.71 times the published rate. */
export const PUBLISHED_FAILURES_MAX = 10;

const YEAR_DAYS = 365;

const general: RatePrior = {
  failures: GENERAL_FAILURES,
  driveYears: GENERAL_FAILURES / generalRate.value,
};

export interface ModelRate extends RateEstimate {
  /** Number of failures with the same weight as the estimate, which determines its interval. */
  readonly countedFailures: number;
}

export function estimateModelRate({ published, own }: Omit<ModelEvidence, "model">): ModelRate {
  const prior = published === null ? general : ofOthers(published);
  const seen = { failures: own.failures, driveYears: own.driveDays / YEAR_DAYS };
  return { ...updateFailureRate(prior, seen), countedFailures: prior.failures + own.failures };
}

/**
 * Inputs of a plan for drives of a model: the share that fails within a year, and the equivalent number of failures.
 */
export function modelInputs({ value, countedFailures }: Pick<ModelRate, "value" | "countedFailures">) {
  return {
    hddAnnualFailureRate: Number((-Math.expm1(-value)).toPrecision(3)),
    hddFailuresCounted: Math.max(1, Math.round(countedFailures)),
  };
}

/** Estimates from the published counts alone, with their exact Poisson interval. */
export const estimatePublishedRate = ({ driveDays, failures }: FailureCounts): RateEstimate =>
  estimateFailureRate(failures, driveDays);

const ofOthers = ({ driveDays, failures }: FailureCounts): RatePrior =>
  limitPrior(
    {
      failures: general.failures + failures,
      driveYears: general.driveYears + driveDays / YEAR_DAYS,
    },
    PUBLISHED_FAILURES_MAX,
  );

/** Formats "0.7 % (0.34 to 1.2)": failures per drive-year with their interval. */
export function rateInWords({ value, low, high }: RateEstimate): string {
  const percent = (rate: number): string => formatFigure(100 * rate);
  return `${percent(value)} % (${percent(low)} to ${percent(high)})`;
}

/** Names the counts behind a model's rate. */
export function describeEvidence({ published, own }: Omit<ModelEvidence, "model">): string {
  const ofFleet = `${countsInWords(own)} of this fleet`;
  return published === null
    ? `rate of all drives (${generalRate.source}) and ${ofFleet}`
    : `${published.source}: ${countsInWords(published)}; and ${ofFleet}`;
}

const counted = new Intl.NumberFormat("en");

const countsInWords = ({ driveDays, failures }: FailureCounts): string =>
  `${counted.format(failures)} ${failures === 1 ? "failure" : "failures"} in ${counted.format(driveDays)} drive ${driveDays === 1 ? "day" : "days"}`;
