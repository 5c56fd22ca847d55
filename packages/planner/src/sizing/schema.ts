/**
 * What a sizing is asked with. SI bytes, seconds and US dollars; shares and ceilings are fractions of one. Bounds are
 * wide, and each refusal is a sentence for the field it is about. What fields mean together is checked in input.ts.
 */
import { z } from "zod";

const NUMBER = "Write a number.";
/** More than a planet stores; beyond it a figure is a slip of the keyboard. */
const BYTES_MAX = 1e21;
/** More than any vault has; a plan that needs more says so at the input that asks for it. */
export const POOL_SERVERS_MAX = 10_000;

const between = (min: number, max: number, told: string) => z.number(NUMBER).min(min, told).max(max, told);
const wholeBetween = (min: number, max: number, told: string) =>
  z.number(NUMBER).int("Write a whole number.").min(min, told).max(max, told);
/** Above zero: the smallest figure that is not nothing for anything measured here. */
const positive = (max: number, told: string) => between(1e-6, max, told);
const share = (told: string) => between(0.01, 1, told);

const ENDURANCE =
  "Endurance is 0.01 to 1,000 drive writes a day; a drive without a rating cannot be planned with.";

export const driveInputSchema = z.object(
  {
    name: z
      .string("Give the drive a name.")
      .trim()
      .min(1, "Give the drive a name.")
      .max(100, "A name has at most 100 characters."),
    capacityBytes: between(1e9, 1e16, "A drive holds 1 GB to 10 PB."),
    writeBytesPerSecond: between(1e5, 1e12, "A drive writes 0.1 MB/s to 1 TB/s."),
    writeIops: between(1, 1e9, "A drive does 1 to 1,000,000,000 writes a second."),
    /** Syncs that a log on this drive completes a second: measured, never from a datasheet. */
    fsyncPerSecond: between(0.1, 1e8, "A drive syncs 0.1 to 100,000,000 times a second."),
    driveWritesPerDay: z
      .number("Write the drive writes a day of its rating; a drive without endurance cannot be planned with.")
      .min(0.01, ENDURANCE)
      .max(1000, ENDURANCE),
    warrantyYears: between(0.5, 20, "A warranty is half a year to 20 years."),
    priceUsd: between(0, 1e7, "A price is $0 to $10,000,000."),
  },
  "Describe the drive by its figures.",
);

export const objectClassSchema = z.object(
  {
    bytes: wholeBetween(1, 1e9, "An object of this path has 1 byte to 1 GB."),
    /** Part of all uploads; the shares of a mix need not add up, they are weighed against each other. */
    share: between(0, 1e9, "A share is 0 to 1,000,000,000."),
  },
  "A size has bytes and a share.",
);

export const poolInputSchema = z.object(
  {
    servers: wholeBetween(1, POOL_SERVERS_MAX, "A pool has 1 to 10,000 servers."),
    drivesPerServer: wholeBetween(1, 1000, "A server has 1 to 1,000 drives."),
  },
  "A pool has servers and drivesPerServer; null when nothing is installed.",
);

export const stashPlanFieldsSchema = z.object(
  {
    dataShards: wholeBetween(1, 255, "A stripe has 1 to 255 data shards."),
    parityShards: wholeBetween(1, 255, "A stripe has 1 to 255 parity shards."),
    /** Small uploads only: larger ones go direct and never touch the stash. */
    objects: z
      .array(objectClassSchema, "Give at least one object size.")
      .min(1, "Give at least one object size.")
      .max(100, "A mix has at most 100 sizes.")
      .refine((mix) => mix.some((part) => part.share > 0), "At least one size needs a share above 0."),
    /** What the log writes before each shard, and to a multiple of what it rounds up. */
    recordHeaderBytes: wholeBetween(0, 65_536, "A record header has 0 to 65,536 bytes."),
    recordAlignBytes: wholeBetween(1, 1_048_576, "Records are aligned to 1 to 1,048,576 bytes."),
    uploadsPerSecond: positive(1e9, "Uploads a second are above 0 and at most 1,000,000,000."),
    /** The busiest seconds against the mean. */
    peakFactor: between(1, 1000, "A peak is 1 to 1,000 times the mean."),
    growthPerYear: between(-0.9, 10, "Growth is -90 % to 1,000 % a year."),
    horizonYears: between(0, 20, "A plan looks 0 to 20 years ahead."),
    /** From a shard being durable on the stash to its purge. */
    residenceSecondsMean: positive(31_536_000, "A shard stays above 0 s and at most a year."),
    residenceSecondsP99: positive(31_536_000, "A shard stays above 0 s and at most a year."),
    /** So long pods may be away, or flush nothing, at peak load before the stash is full. */
    outageSeconds: between(0, 31_536_000, "An outage lasts 0 s to a year."),
    /** Of a drive's capacity, what the log can use: the rest is its headers and spare segments. */
    usableFraction: share("The usable part of a drive is 1 to 100 %."),
    maxFill: share("A drive is filled to 1 to 100 %."),
    /** A queue's wait is stretched by 1/(1 - utilisation). */
    maxUtilisation: between(0.01, 0.99, "A drive is kept 1 to 99 % busy."),
    /** Bytes that the log writes for a byte of records: frames, checkpoints, moved records. */
    logWriteAmplification: between(1, 100, "Write amplification is 1 to 100."),
    /** The drive's own amplification in this use against that of its endurance rating. */
    deviceWriteAmplificationRatio: between(0.1, 100, "The ratio of amplifications is 0.1 to 100."),
    writesPerShard: between(0.001, 1000, "A shard is 0.001 to 1,000 writes."),
    purgeWritesPerShard: between(0, 1000, "A purge is 0 to 1,000 writes."),
    /** Shards that one sync makes durable. */
    shardsPerCommit: between(1, 100_000, "A group commit has 1 to 100,000 shards."),
    serviceYears: between(0.1, 20, "Drives serve a tenth of a year to 20 years."),
    drivesPerServer: wholeBetween(1, 1000, "A server has 1 to 1,000 drives."),
    /** Stash servers that may die together with a power cut. */
    serverFailuresTolerated: wholeBetween(
      1,
      254,
      "At least one stash server may die, and fewer than parity shards.",
    ),
    serverPriceUsd: between(0, 1e7, "A price is $0 to $10,000,000."),
    /** Data that the vault keeps, without parity: for what a vault on SSDs alone would cost. */
    vaultBytes: between(0, BYTES_MAX, "A vault keeps 0 bytes to 1 ZB.").default(10e15),
    hddPriceUsdPerTb: between(0, 1e6, "A price is $0 to $1,000,000 a TB.").default(16.25),
    /** Share of drives that fail in a year. */
    ssdAnnualFailureRate: between(0, 0.99, "A failure rate is 0 to 99 % a year.").default(0.0044),
    hddAnnualFailureRate: between(0, 0.99, "A failure rate is 0 to 99 % a year.").default(0.0155),
    hddsPerPod: wholeBetween(1, 1000, "A pod has 1 to 1,000 drives.").default(1),
    /** How often the outage of this plan happens, apart from drives of pods that fail. */
    outagesPerYear: between(0, 10_000, "Outages are 0 to 10,000 a year.").default(1),
    /** Bytes a second that one pod makes durable when it does nothing else; null when it is not known. */
    podFlushBytesPerSecond: between(1e3, 1e12, "A pod flushes 1 kB/s to 1 TB/s.").nullable().default(null),
    drive: driveInputSchema,
    /** What is there already; null when nothing is. */
    installed: poolInputSchema.nullable().default(null),
  },
  "A plan is an object of inputs.",
);

export type DriveInput = z.infer<typeof driveInputSchema>;
export type ObjectClass = z.infer<typeof objectClassSchema>;
export type PoolInput = z.infer<typeof poolInputSchema>;
export type StashPlanInput = z.infer<typeof stashPlanFieldsSchema>;
