/**
 * Failures a drive-year of a model, from three things: what is known of drives in general, what another operator counted of
 * this model, and what the own fleet counted. Each is a gamma distribution that updates the one before it, so that a
 * model with no failures, or with nothing but failures, has a rate between none and certain.
 *
 * Another operator's rooms, loads and batches differ, so its counts keep their mean and count like at most
 * `PUBLISHED_FAILURES_MAX` failures: that many of the fleet's own weigh as much.
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

/** Counts of another operator, with the first and last day on which they were taken. */
export interface PublishedCounts extends FailureCounts {
  readonly source: string;
  readonly from: string;
  readonly to: string;
}

export interface ModelEvidence {
  readonly model: string;
  /** Null for a model that no table and no import has. */
  readonly published: PublishedCounts | null;
  readonly own: FailureCounts;
}

/** Failures a drive-year of all drives that a large operator publishes. */
export const generalRate = annualFailureRates.hdd;

/** The spread of models in published reports: a 95 % interval of 0.19 to 4.3 %. */
const GENERAL_FAILURES = 2;

/** A 95 % interval of 0.48 to 1.71 times the published rate. */
export const PUBLISHED_FAILURES_MAX = 10;

const YEAR_DAYS = 365;

const general: RatePrior = {
  failures: GENERAL_FAILURES,
  driveYears: GENERAL_FAILURES / generalRate.value,
};

export interface ModelRate extends RateEstimate {
  /** Failures that the estimate counts like; its interval is that of this number. */
  readonly countedFailures: number;
}

export function estimateModelRate({ published, own }: Omit<ModelEvidence, "model">): ModelRate {
  const prior = published === null ? general : ofOthers(published);
  const seen = { failures: own.failures, driveYears: own.driveDays / YEAR_DAYS };
  return { ...updateFailureRate(prior, seen), countedFailures: prior.failures + own.failures };
}

/** Inputs of a plan for drives of a model: the share that fails within a year, and the failures that it counts like. */
export function modelInputs({ value, countedFailures }: Pick<ModelRate, "value" | "countedFailures">) {
  return {
    hddAnnualFailureRate: Number((-Math.expm1(-value)).toPrecision(3)),
    hddFailuresCounted: Math.max(1, Math.round(countedFailures)),
  };
}

/** The published counts alone, with their exact Poisson interval. */
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

/** "0.7 % (0.34 to 1.2)": failures a drive-year with their interval. */
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
