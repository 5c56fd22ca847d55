/**
 * Limits of Amazon EBS volumes as dated periods, because a text or bill of 2018 can only be understood with the limits
 * of 2018. A period is valid from its month until the next period of its type. Months are those of the announcements;
 * where only a season is known, the source mentions it.
 */

export const ebsTypes = ["gp2", "gp3", "io1", "io2", "io2-block-express", "st1", "sc1"] as const;
export type EbsType = (typeof ebsTypes)[number];

export const ebsTypeNames: Readonly<Record<EbsType, string>> = {
  gp2: "gp2",
  gp3: "gp3",
  io1: "io1",
  io2: "io2",
  "io2-block-express": "io2 Block Express",
  st1: "st1",
  sc1: "sc1",
};

interface Period {
  /** First month of the period, `YYYY-MM`. */
  readonly validFrom: string;
  readonly source: string;
  readonly sizeGiBMin: number;
  readonly sizeGiBMax: number;
}

/** gp2: the size determines the base rate, and credits allow bursts. */
export interface SizedLimits extends Period {
  readonly model: "sized";
  readonly iopsPerGiB: number;
  readonly iopsMin: number;
  readonly iopsMax: number;
  readonly burstIops: number;
  readonly creditsMax: number;
  /** Maximum size to which the smaller throughput applies. */
  readonly smallGiBMax: number;
  readonly smallMiBps: number;
  readonly throughputMiBpsMax: number;
}

/** Throughput for provisioned IOPS: the first step whose `iopsMax` is not exceeded applies. */
export interface ThroughputStep {
  readonly iopsMax: number;
  readonly mibPerIops: number;
  readonly throughputMiBpsMax: number;
}

/** gp3, io1 and io2: IOPS are provisioned, and for gp3 the throughput too. No credits. */
export interface ProvisionedLimits extends Period {
  readonly model: "provisioned";
  readonly iopsMin: number;
  readonly iopsMax: number;
  readonly iopsPerGiBMax: number;
  /** IOPS that do not depend on the size. */
  readonly iopsOfAnySize: number;
  readonly throughput:
    | {
        readonly kind: "chosen";
        readonly includedMiBps: number;
        readonly throughputMiBpsMax: number;
        readonly mibPerIopsMax: number;
      }
    | { readonly kind: "by-iops"; readonly steps: readonly ThroughputStep[] };
}

/** st1 and sc1: the size determines the base throughput, and credits allow bursts. */
export interface ThroughputLimits extends Period {
  readonly model: "throughput";
  readonly baseMiBpsPerTiB: number;
  readonly burstMiBpsPerTiB: number;
  readonly throughputMiBpsMax: number;
}

export type EbsLimits = SizedLimits | ProvisionedLimits | ThroughputLimits;

const gp2: SizedLimits = {
  model: "sized",
  validFrom: "2015-03",
  source: "AWS announcement of larger and faster volumes, March 2015, and the EBS user guide of that time",
  sizeGiBMin: 1,
  sizeGiBMax: 16_384,
  iopsPerGiB: 3,
  iopsMin: 100,
  iopsMax: 10_000,
  burstIops: 3_000,
  creditsMax: 5_400_000,
  smallGiBMax: 170,
  smallMiBps: 128,
  throughputMiBpsMax: 160,
};

const io1: ProvisionedLimits = {
  model: "provisioned",
  validFrom: "2017-12",
  source: "AWS announcement of faster io1 volumes, December 2017",
  sizeGiBMin: 4,
  sizeGiBMax: 16_384,
  iopsMin: 100,
  iopsMax: 32_000,
  iopsPerGiBMax: 50,
  iopsOfAnySize: 0,
  throughput: {
    kind: "by-iops",
    steps: [{ iopsMax: 32_000, mibPerIops: 256 / 1024, throughputMiBpsMax: 500 }],
  },
};

const io1OfNitro: ProvisionedLimits = {
  ...io1,
  validFrom: "2018-11",
  source: "AWS announcement of 64,000 IOPS per volume, November 2018; on instances of the Nitro System",
  iopsMax: 64_000,
  throughput: {
    kind: "by-iops",
    steps: [
      { iopsMax: 32_000, mibPerIops: 256 / 1024, throughputMiBpsMax: 500 },
      { iopsMax: 64_000, mibPerIops: 16 / 1024, throughputMiBpsMax: 1_000 },
    ],
  },
};

const gp3: ProvisionedLimits = {
  model: "provisioned",
  validFrom: "2020-12",
  source: "AWS announcement of gp3, December 2020",
  sizeGiBMin: 1,
  sizeGiBMax: 16_384,
  iopsMin: 3_000,
  iopsMax: 16_000,
  iopsPerGiBMax: 500,
  iopsOfAnySize: 3_000,
  throughput: { kind: "chosen", includedMiBps: 125, throughputMiBpsMax: 1_000, mibPerIopsMax: 0.25 },
};

const st1: ThroughputLimits = {
  model: "throughput",
  validFrom: "2016-04",
  source: "AWS announcement of st1 and sc1, April 2016",
  sizeGiBMin: 500,
  sizeGiBMax: 16_384,
  baseMiBpsPerTiB: 40,
  burstMiBpsPerTiB: 250,
  throughputMiBpsMax: 500,
};

const sc1: ThroughputLimits = {
  ...st1,
  baseMiBpsPerTiB: 12,
  burstMiBpsPerTiB: 80,
  throughputMiBpsMax: 250,
};

const smallerHdd = {
  validFrom: "2020-11",
  source: "AWS announcement of smaller st1 and sc1 volumes, autumn 2020",
  sizeGiBMin: 125,
};

/** Limits of each type, oldest first. */
export const ebsLimits: Readonly<Record<EbsType, readonly EbsLimits[]>> = {
  gp2: [
    gp2,
    {
      ...gp2,
      validFrom: "2018-12",
      source: "AWS announcement of 16,000 IOPS and 250 MiB/s, December 2018",
      iopsMax: 16_000,
      throughputMiBpsMax: 250,
    },
  ],
  gp3: [
    gp3,
    {
      ...gp3,
      validFrom: "2025-09",
      source: "AWS announcement of larger and faster gp3 volumes, September 2025",
      sizeGiBMax: 65_536,
      iopsMax: 80_000,
      throughput: { kind: "chosen", includedMiBps: 125, throughputMiBpsMax: 2_000, mibPerIopsMax: 0.25 },
    },
  ],
  io1: [io1, io1OfNitro],
  io2: [
    {
      ...io1OfNitro,
      validFrom: "2020-08",
      source: "AWS announcement of io2, August 2020; on instances of the Nitro System",
      iopsPerGiBMax: 500,
    },
  ],
  "io2-block-express": [
    {
      ...io1OfNitro,
      validFrom: "2021-07",
      source: "AWS announcement of io2 Block Express, July 2021",
      sizeGiBMax: 65_536,
      iopsMax: 256_000,
      iopsPerGiBMax: 1_000,
      throughput: {
        kind: "by-iops",
        steps: [{ iopsMax: 256_000, mibPerIops: 0.256, throughputMiBpsMax: 4_000 }],
      },
    },
  ],
  st1: [st1, { ...st1, ...smallerHdd }],
  sc1: [sc1, { ...sc1, ...smallerHdd }],
};

/** Month whose limits are used. */
export interface EbsMoment {
  /** `YYYY-MM`. */
  readonly month: string;
  /** The articles of 2018 to 2021 calculate gp2 with 3 IOPS per GiB for any size, without its floor of 100. */
  readonly ignoresFloor: boolean;
}

/** Latest period that began by this month; null before the first. */
export function periodAt<P extends { readonly validFrom: string }>(
  periods: readonly P[],
  month: string,
): P | null {
  return periods.findLast(({ validFrom }) => validFrom <= month) ?? null;
}

/** Returns null if the type did not exist, or its limits are unknown that far back. */
export function limitsAt(type: EbsType, { month, ignoresFloor }: EbsMoment): EbsLimits | null {
  const limits = periodAt(ebsLimits[type], month);
  if (limits === null || limits.model !== "sized" || !ignoresFloor) return limits;
  return {
    ...limits,
    iopsMin: 0,
    source: `${limits.source}; without the floor of 100 IOPS, as the articles of 2018 to 2021 calculate`,
  };
}
