/**
 * What each number of an input may be, and the sentence that refuses others. Plain data rather than a library's schema:
 * it is looked at with every key that is pressed in a form, by pages whose security policy forbids compiled checks.
 * Bounds are wide; what numbers mean together is checked in input.ts.
 */
import { catalogueDefaults } from "./defaults.ts";
import type { DriveInput, ObjectClass, PoolInput, StashPlanInput } from "./types.ts";

export interface NumberRule {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** For what is out of bounds. */
  readonly told: string;
  /** For what is no number. */
  readonly missing: string;
  /** Stands where a plan that was saved before this input existed has nothing. */
  readonly otherwise?: number | null;
}

export type NumberName = Exclude<keyof StashPlanInput, "objects" | "drive" | "installed">;
export type DriveFigure = Exclude<keyof DriveInput, "name">;
export type Rules<Name extends string> = Readonly<Record<Name, NumberRule>>;

const NUMBER = "Write a number.";
/** More than a planet stores; beyond it a figure is a slip of the keyboard. */
const BYTES_MAX = 1e21;
/** More than any vault has; a plan that needs more says so at the input that asks for it. */
export const POOL_SERVERS_MAX = 10_000;
export const SIZES_MAX = 100;
export const NAME_LENGTH_MAX = 100;

type More = Partial<Pick<NumberRule, "missing" | "otherwise">>;

const between = (min: number, max: number, told: string, more: More = {}): NumberRule => ({
  ...{ min, max, told, isWhole: false, missing: NUMBER },
  ...more,
});
const wholeBetween = (min: number, max: number, told: string, more: More = {}): NumberRule => ({
  ...between(min, max, told, more),
  isWhole: true,
});
/** Above zero: the smallest figure that is not nothing for anything measured here. */
const positive = (max: number, told: string): NumberRule => between(1e-6, max, told);
const share = (told: string): NumberRule => between(0.01, 1, told);

export const driveRules: Rules<DriveFigure> = {
  capacityBytes: between(1e6, 1e16, "A drive holds 1 MB to 10 PB."),
  writeBytesPerSecond: between(1e5, 1e12, "A drive writes 0.1 MB/s to 1 TB/s."),
  writeIops: between(1, 1e9, "A drive does 1 to 1,000,000,000 writes a second."),
  fsyncPerSecond: between(0.1, 1e8, "A drive syncs 0.1 to 100,000,000 times a second."),
  driveWritesPerDay: between(
    0.01,
    1000,
    "Endurance is 0.01 to 1,000 drive writes a day; a drive without a rating cannot be planned with.",
    {
      missing:
        "Write the drive writes a day of its rating; a drive without endurance cannot be planned with.",
    },
  ),
  warrantyYears: between(0.5, 20, "A warranty is half a year to 20 years."),
  priceUsd: between(0, 1e7, "A price is $0 to $10,000,000."),
};

export const objectRules: Rules<keyof ObjectClass> = {
  bytes: wholeBetween(1, 1e9, "An object of this path has 1 byte to 1 GB."),
  share: between(0, 1e9, "A share is 0 to 1,000,000,000."),
};

export const poolRules: Rules<keyof PoolInput> = {
  servers: wholeBetween(1, POOL_SERVERS_MAX, "A pool has 1 to 10,000 servers."),
  drivesPerServer: wholeBetween(1, 1000, "A server has 1 to 1,000 drives."),
};

export const planRules: Rules<NumberName> = {
  dataShards: wholeBetween(1, 255, "A stripe has 1 to 255 data shards."),
  parityShards: wholeBetween(1, 255, "A stripe has 1 to 255 parity shards."),
  recordHeaderBytes: wholeBetween(0, 65_536, "A record header has 0 to 65,536 bytes."),
  recordAlignBytes: wholeBetween(1, 1_048_576, "Records are aligned to 1 to 1,048,576 bytes."),
  uploadsPerSecond: positive(1e9, "Uploads a second are above 0 and at most 1,000,000,000."),
  peakFactor: between(1, 1000, "A peak is 1 to 1,000 times the mean."),
  growthPerYear: between(-0.9, 10, "Growth is -90 % to 1,000 % a year."),
  horizonYears: between(0, 20, "A plan looks 0 to 20 years ahead."),
  residenceSecondsMean: positive(31_536_000, "A shard stays above 0 s and at most a year."),
  residenceSecondsP99: positive(31_536_000, "A shard stays above 0 s and at most a year."),
  outageSeconds: between(0, 31_536_000, "An outage lasts 0 s to a year."),
  usableFraction: share("The usable part of a drive is 1 to 100 %."),
  maxFill: share("A drive is filled to 1 to 100 %."),
  maxUtilisation: between(0.01, 0.99, "A drive is kept 1 to 99 % busy."),
  logWriteAmplification: between(1, 100, "Write amplification is 1 to 100."),
  deviceWriteAmplificationRatio: between(0.1, 100, "The ratio of amplifications is 0.1 to 100."),
  writesPerShard: between(0.001, 1000, "A shard is 0.001 to 1,000 writes."),
  purgeWritesPerShard: between(0, 1000, "A purge is 0 to 1,000 writes."),
  shardsPerCommit: between(1, 100_000, "A group commit has 1 to 100,000 shards."),
  serviceYears: between(0.1, 20, "Drives serve a tenth of a year to 20 years."),
  drivesPerServer: wholeBetween(1, 1000, "A server has 1 to 1,000 drives."),
  serverFailuresTolerated: wholeBetween(
    1,
    254,
    "At least one stash server may die, and fewer than parity shards.",
  ),
  serverPriceUsd: between(0, 1e7, "A price is $0 to $10,000,000."),
  vaultBytes: between(0, BYTES_MAX, "A vault keeps 0 bytes to 1 ZB.", { otherwise: 10e15 }),
  hddPriceUsdPerTb: between(0, 1e6, "A price is $0 to $1,000,000 a TB.", {
    otherwise: catalogueDefaults.hddPriceUsdPerTb,
  }),
  ssdAnnualFailureRate: between(0, 0.99, "A failure rate is 0 to 99 % a year.", {
    otherwise: catalogueDefaults.ssdAnnualFailureRate,
  }),
  hddAnnualFailureRate: between(0, 0.99, "A failure rate is 0 to 99 % a year.", {
    otherwise: catalogueDefaults.hddAnnualFailureRate,
  }),
  hddsPerPod: wholeBetween(1, 1000, "A pod has 1 to 1,000 drives.", { otherwise: 1 }),
  outagesPerYear: between(0, 10_000, "Outages are 0 to 10,000 a year.", { otherwise: 1 }),
  podFlushBytesPerSecond: between(1e3, 1e12, "A pod flushes 1 kB/s to 1 TB/s.", { otherwise: null }),
};
