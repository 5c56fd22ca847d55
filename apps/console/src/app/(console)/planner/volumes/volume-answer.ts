/** Description of volumes under a demand, in numbers and in words. */
import { DAY_SECONDS } from "@stashlight/contracts/time";
import {
  type BurstFigures,
  burstFigures,
  checkVolume,
  type Demand,
  type EbsLimits,
  type EbsMoment,
  type EbsVolume,
  ebsTypeNames,
  monthlyUsd,
  type PricePeriod,
  pricesAt,
  type ServedDemand,
  type ServeOptions,
  serveDemand,
  usEastPrices,
  type VolumeComparison,
  type VolumeRates,
} from "@stashlight/devices/ebs";
import { formatCount } from "@stashlight/ui";

export interface VolumeAnswer {
  readonly volume: EbsVolume;
  readonly limits: EbsLimits;
  readonly rates: VolumeRates;
  readonly burst: BurstFigures;
  readonly served: ServedDemand;
  readonly price: PricePeriod | null;
  readonly monthlyUsd: number | null;
  readonly demand: Demand;
  readonly whenThrottled: ServeOptions["whenThrottled"];
}

/** Null for a volume that was not available at that time. */
export function answerVolume(
  volume: EbsVolume,
  demand: Demand,
  at: EbsMoment,
  options: ServeOptions,
): VolumeAnswer | null {
  const { rates, limits } = checkVolume(volume, at);
  if (rates === null) return null;
  const price = pricesAt(usEastPrices, volume.type, at);
  return {
    volume,
    limits,
    rates,
    demand,
    burst: burstFigures(rates),
    served: serveDemand(rates, demand, options),
    price,
    monthlyUsd: price === null ? null : monthlyUsd(volume, price),
    whenThrottled: options.whenThrottled,
  };
}

const parts = [
  { name: "d", seconds: DAY_SECONDS },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** Two largest meaningful units: "31 min 2 s", "3 d 4 h", "0.4 s". */
export function formatTime(seconds: number): string {
  if (seconds === 0) return "0 s";
  if (seconds < 59.95) return `${Number(seconds.toPrecision(3))} s`;
  const first = parts.findIndex((part) => Math.round(seconds) >= part.seconds);
  const [large, small] = [parts[first] ?? parts[3], parts[first + 1] ?? parts[3]];
  const counted = Math.round(seconds / small.seconds);
  const ratio = large.seconds / small.seconds;
  const [whole, rest] = [Math.floor(counted / ratio), counted % ratio];
  return rest === 0 ? `${whole} ${large.name}` : `${whole} ${large.name} ${rest} ${small.name}`;
}

export function formatUsd(usd: number): string {
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** "gp3, 64 GiB, 3,000 IOPS, 125 MiB/s". */
export function formatVolume({ type, sizeGiB, iops, throughputMiBps }: EbsVolume): string {
  return [
    ebsTypeNames[type],
    `${formatCount(sizeGiB)} GiB`,
    ...(iops === null ? [] : [`${formatCount(iops)} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${formatCount(throughputMiBps)} MiB/s`]),
  ].join(", ");
}

export const formatShare = (share: number): string => {
  const percent = share * 100;
  // Shows "> 99.9 %" and "< 0.1 %" instead of 100 % and 0 %, which would be false.
  if (percent > 99.9 && percent < 100) return "> 99.9 %";
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${Number(percent.toFixed(1))} %`;
};

/** States the answer in one sentence. */
export function formatCheapest({ cheapest, rows }: VolumeComparison): string {
  if (cheapest?.volume == null || cheapest.monthlyUsd === null) {
    return "No single volume does all of this at once; the table shows why.";
  }
  const servingCount = rows.filter(({ serves }) => serves).length;
  const others =
    servingCount === 1 ? "the only type that suffices" : `the cheapest of ${servingCount} types that suffice`;
  const cost = `${formatVolume(cheapest.volume)} does all of this at once for ${formatUsd(cheapest.monthlyUsd)} per month, ${others}.`;
  if (!cheapest.livesOnCredits || cheapest.served === null) return cost;
  const left = cheapest.served.creditsEnd / cheapest.served.creditsStart;
  return `${cost} It depends on credits, with ${formatShare(left)} left at the end.`;
}

/** "30 min 15 s at 3,000 IOPS, then 24 IOPS". */
export function formatBurst({ rates, burst }: Pick<VolumeAnswer, "rates" | "burst">): string {
  const unit = rates.credit === "io" ? "IOPS" : "MiB/s";
  const base = `${formatRate(rates.baseCreditsPerSecond)} ${unit}`;
  if (burst.burstSeconds === null) return `${base} all the time`;
  return `${formatTime(burst.burstSeconds)} at ${formatRate(rates.peakCreditsPerSecond)} ${unit}, then ${base}`;
}

export const formatRate = (rate: number): string =>
  rate >= 100 ? formatCount(rate) : String(Number(rate.toPrecision(3)));
