/**
 * Finds the cheapest volume for a demand: for each type the smallest sufficient one, or the reason why there is none.
 */
import {
  type EbsLimits,
  type EbsMoment,
  type EbsType,
  ebsTypeNames,
  ebsTypes,
  limitsAt,
  type ProvisionedLimits,
} from "./limits.ts";
import { type EbsPriceList, monthlyUsd, type PricePeriod, pricesAt } from "./prices.ts";
import { creditsPerIo, type Demand, type ServedDemand, serveDemand, servesAll } from "./serve.ts";
import { checkVolume, type EbsVolume, formatCount, type VolumeRates } from "./volume.ts";

export interface CompareOptions {
  readonly at: EbsMoment;
  readonly prices: EbsPriceList;
  /** Space needed on the volume. */
  readonly sizeGiBMin: number;
}

export interface ComparedVolume {
  readonly type: EbsType;
  /** Smallest volume that serves the whole demand without delay; otherwise the largest or fastest possible. */
  readonly volume: EbsVolume | null;
  readonly rates: VolumeRates | null;
  readonly served: ServedDemand | null;
  /** True if no I/O ever waits. */
  readonly serves: boolean;
  /** Null if the volume does not serve, or has no known price. */
  readonly monthlyUsd: number | null;
  readonly price: PricePeriod | null;
  readonly limits: EbsLimits | null;
  readonly whyNot: string | null;
  /** True if credits decrease over the demand, so that a second pass may not be served. */
  readonly livesOnCredits: boolean;
}

export interface VolumeComparison {
  /** In the order of `ebsTypes`. */
  readonly rows: readonly ComparedVolume[];
  readonly cheapest: ComparedVolume | null;
}

/** The demand must have passed `checkStep`; `sizeGiBMin` is a positive whole number. */
export function compareVolumes(demand: Demand, options: CompareOptions): VolumeComparison {
  const rows = ebsTypes.map((type) => compareOne(type, demand, options));
  const serving = rows.filter((row) => row.monthlyUsd !== null);
  const cheapest = serving.reduce<ComparedVolume | null>(
    (best, row) => (best === null || (row.monthlyUsd ?? 0) < (best.monthlyUsd ?? 0) ? row : best),
    null,
  );
  return { rows, cheapest };
}

function compareOne(type: EbsType, demand: Demand, options: CompareOptions): ComparedVolume {
  const { at, prices, sizeGiBMin } = options;
  const limits = limitsAt(type, at);
  const price = pricesAt(prices, type, at);
  const none = { type, volume: null, rates: null, served: null, serves: false, monthlyUsd: null };
  const refused = (whyNot: string): ComparedVolume => ({
    ...none,
    limits,
    price,
    whyNot,
    livesOnCredits: false,
  });
  if (limits === null) return refused(`Not known in ${at.month}`);
  if (sizeGiBMin > limits.sizeGiBMax) return refused(`At most ${formatCount(limits.sizeGiBMax)} GiB`);
  const volume =
    limits.model === "provisioned"
      ? provisionedFor(type, demand, limits, sizeGiBMin)
      : smallestSized(type, demand, limits, options);
  const { rates } = checkVolume(volume, at);
  if (rates === null) return refused(`No ${ebsTypeNames[type]} volume has such limits`);
  const served = serveDemand(rates, demand, { whenThrottled: "queue" });
  const serves = served.throttledSeconds === 0;
  return {
    type,
    volume,
    rates,
    served,
    serves,
    monthlyUsd: serves && price !== null ? monthlyUsd(volume, price) : null,
    price,
    limits,
    whyNot: serves ? (price === null ? `No price known in ${at.month}` : null) : formatRefusal(demand, rates),
    livesOnCredits: serves && served.creditsEnd < served.creditsStart,
  };
}

/**
 * Finds the smallest size that serves by bisection, since a larger volume never does less; returns the largest if none
 * serves.
 */
function smallestSized(
  type: EbsType,
  demand: Demand,
  { sizeGiBMin: least, sizeGiBMax }: EbsLimits,
  { at, sizeGiBMin }: CompareOptions,
): EbsVolume {
  const ofSize = (sizeGiB: number): EbsVolume => ({ type, sizeGiB, iops: null, throughputMiBps: null });
  const serves = (sizeGiB: number): boolean => {
    const { rates } = checkVolume(ofSize(sizeGiB), at);
    return rates !== null && servesAll(rates, demand);
  };
  let [low, high] = [Math.max(least, sizeGiBMin), sizeGiBMax];
  if (serves(low)) return ofSize(low);
  if (!serves(high)) return ofSize(high);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (serves(middle)) high = middle;
    else low = middle;
  }
  return ofSize(high);
}

interface Peak {
  readonly credits: number;
  readonly mibps: number;
}

/** Largest demand of any step. */
function demandPeak({ steps, pattern }: Demand, rates: Pick<VolumeRates, "creditKiB">): Peak {
  let [credits, mibps] = [0, 0];
  for (const { iops, kib } of steps) {
    credits = Math.max(credits, iops * creditsPerIo(kib, pattern, rates));
    mibps = Math.max(mibps, (iops * kib) / 1_024);
  }
  return { credits, mibps };
}

const SSD_CREDIT = { creditKiB: 256 };

/** Chooses the rate for the peak, since there is no burst; a demand beyond the type is cut to its limits. */
function provisionedFor(
  type: EbsType,
  demand: Demand,
  limits: ProvisionedLimits,
  sizeGiBMin: number,
): EbsVolume {
  const { credits, mibps } = demandPeak(demand, SSD_CREDIT);
  const { throughput, iopsMin, iopsMax, iopsPerGiBMax, iopsOfAnySize } = limits;
  const chosenMiBps =
    throughput.kind === "chosen"
      ? Math.min(throughput.throughputMiBpsMax, Math.max(throughput.includedMiBps, Math.ceil(mibps)))
      : null;
  const forThroughput =
    throughput.kind === "chosen"
      ? Math.ceil((chosenMiBps ?? 0) / throughput.mibPerIopsMax)
      : iopsForThroughput(mibps, throughput.steps);
  const iops = Math.min(iopsMax, Math.max(iopsMin, Math.ceil(credits), forThroughput));
  const forIops = iops <= iopsOfAnySize ? 1 : Math.ceil(iops / iopsPerGiBMax);
  const sizeGiB = Math.max(limits.sizeGiBMin, sizeGiBMin, forIops);
  return { type, sizeGiB, iops, throughputMiBps: chosenMiBps };
}

/** Returns the fewest IOPS that provide this throughput; infinity if none do. */
function iopsForThroughput(
  mibps: number,
  steps: readonly { iopsMax: number; mibPerIops: number; throughputMiBpsMax: number }[],
): number {
  const step = steps.find(({ throughputMiBpsMax }) => mibps <= throughputMiBpsMax);
  return step === undefined ? Number.POSITIVE_INFINITY : Math.ceil(mibps / step.mibPerIops);
}

function formatRefusal(demand: Demand, rates: VolumeRates): string {
  const { credits, mibps } = demandPeak(demand, rates);
  const { throughputMiBpsMax, peakCreditsPerSecond, baseCreditsPerSecond } = rates;
  const unit = rates.credit === "io" ? "IOPS" : "MiB/s";
  if (credits > peakCreditsPerSecond) {
    const counted = rates.credit === "io" ? "" : ", because each I/O counts as at least 1 MiB";
    return `At most ${formatCount(peakCreditsPerSecond)} ${unit}; the demand needs ${formatCount(credits)}${counted}`;
  }
  if (mibps > throughputMiBpsMax)
    return `At most ${formatCount(throughputMiBpsMax)} MiB/s; the demand needs ${formatCount(mibps)}`;
  return `Its credits run out, and ${formatCount(baseCreditsPerSecond)} ${unit} remain`;
}
