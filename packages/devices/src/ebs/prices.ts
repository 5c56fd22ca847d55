/** Monthly cost of a volume, as dated list prices of a region. Requests, snapshots and taxes are not included. */
import { type EbsMoment, type EbsType, periodAt } from "./limits.ts";
import type { EbsVolume } from "./volume.ts";

export interface PriceTier {
  /** The tier covers IOPS above this number, up to the next tier. */
  readonly aboveIops: number;
  readonly usdPerIops: number;
}

export interface PricePeriod {
  /** First month of the period, `YYYY-MM`. */
  readonly validFrom: string;
  readonly source: string;
  readonly usdPerGiB: number;
  readonly iopsTiers: readonly PriceTier[];
  readonly includedMiBps: number;
  readonly usdPerMiBps: number;
}

export interface EbsPriceList {
  readonly region: string;
  readonly prices: Readonly<Record<EbsType, readonly PricePeriod[]>>;
}

function capacityOnly(validFrom: string, usdPerGiB: number, source: string): PricePeriod {
  return { validFrom, source, usdPerGiB, iopsTiers: [], includedMiBps: 0, usdPerMiBps: 0 };
}

const LIST = "AWS list price, US East (N. Virginia)";
const io = capacityOnly(
  "2017-12",
  0.125,
  `${LIST}; $0.065 per IOPS, as also printed in the articles of 2018 to 2021`,
);
const io1: PricePeriod = { ...io, iopsTiers: [{ aboveIops: 0, usdPerIops: 0.065 }] };
const tiered: PricePeriod = {
  ...io1,
  validFrom: "2020-12",
  source: `${LIST}, tiers since December 2020`,
  iopsTiers: [
    { aboveIops: 0, usdPerIops: 0.065 },
    { aboveIops: 32_000, usdPerIops: 0.046 },
    { aboveIops: 64_000, usdPerIops: 0.032 },
  ],
};

/** The only region with built-in prices; callers for other regions pass their own list. */
export const usEastPrices: EbsPriceList = {
  region: "us-east-1",
  prices: {
    gp2: [capacityOnly("2015-03", 0.1, LIST)],
    gp3: [
      {
        ...capacityOnly("2020-12", 0.08, `${LIST}, December 2020`),
        iopsTiers: [{ aboveIops: 3_000, usdPerIops: 0.005 }],
        includedMiBps: 125,
        usdPerMiBps: 0.04,
      },
    ],
    io1: [io1],
    io2: [{ ...io1, validFrom: "2020-08", source: `${LIST}, August 2020` }, tiered],
    "io2-block-express": [{ ...tiered, validFrom: "2021-07", source: `${LIST}, July 2021` }],
    st1: [capacityOnly("2016-04", 0.045, `${LIST}, April 2016`)],
    sc1: [
      capacityOnly("2016-04", 0.025, `${LIST}, April 2016`),
      capacityOnly("2020-11", 0.015, `${LIST}, reduced in autumn 2020`),
    ],
  },
};

export function pricesAt(list: EbsPriceList, type: EbsType, { month }: EbsMoment): PricePeriod | null {
  return periodAt(list.prices[type], month);
}

/** US dollars per month. Sizes are billed per GiB, which AWS calls GB. */
export function monthlyUsd({ sizeGiB, iops, throughputMiBps }: EbsVolume, price: PricePeriod): number {
  const ofIops = price.iopsTiers.reduce((sum, { aboveIops, usdPerIops }, i) => {
    const upTo = price.iopsTiers[i + 1]?.aboveIops ?? Number.POSITIVE_INFINITY;
    return sum + Math.max(0, Math.min(iops ?? 0, upTo) - aboveIops) * usdPerIops;
  }, 0);
  const paidMiBps = Math.max(0, (throughputMiBps ?? 0) - price.includedMiBps);
  return sizeGiB * price.usdPerGiB + ofIops + paidMiBps * price.usdPerMiBps;
}
