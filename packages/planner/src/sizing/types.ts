/** What a sizing is asked with. SI bytes, seconds and US dollars; shares and ceilings are fractions of one. */

export interface DriveInput {
  name: string;
  capacityBytes: number;
  writeBytesPerSecond: number;
  writeIops: number;
  /** Syncs that a log on this drive completes a second: measured, never from a datasheet. */
  fsyncPerSecond: number;
  driveWritesPerDay: number;
  warrantyYears: number;
  priceUsd: number;
}

export interface ObjectClass {
  bytes: number;
  /** Part of all uploads; the shares of a mix need not add up, they are weighed against each other. */
  share: number;
}

export interface PoolInput {
  servers: number;
  drivesPerServer: number;
}

export interface StashPlanInput {
  dataShards: number;
  parityShards: number;
  /** Small uploads only: larger ones go direct and never touch the stash. */
  objects: ObjectClass[];
  /** What the log writes before each shard, and to a multiple of what it rounds up. */
  recordHeaderBytes: number;
  recordAlignBytes: number;
  uploadsPerSecond: number;
  /** The busiest seconds against the mean. */
  peakFactor: number;
  growthPerYear: number;
  horizonYears: number;
  /** From a shard being durable on the stash to its purge. */
  residenceSecondsMean: number;
  residenceSecondsP99: number;
  /** So long pods may be away, or flush nothing, at peak load before the stash is full. */
  outageSeconds: number;
  /** Of a drive's capacity, what the log can use: the rest is its headers and spare segments. */
  usableFraction: number;
  maxFill: number;
  /** A queue's wait is stretched by 1/(1 - utilisation). */
  maxUtilisation: number;
  /** Bytes that the log writes for a byte of records: frames, checkpoints, moved records. */
  logWriteAmplification: number;
  /** The drive's own amplification in this use against that of its endurance rating. */
  deviceWriteAmplificationRatio: number;
  writesPerShard: number;
  purgeWritesPerShard: number;
  /** Shards that one sync makes durable. */
  shardsPerCommit: number;
  serviceYears: number;
  drivesPerServer: number;
  /** Stash servers that may die together with a power cut. */
  serverFailuresTolerated: number;
  serverPriceUsd: number;
  /** Data that the vault keeps, without parity: for what a vault on SSDs alone would cost. */
  vaultBytes: number;
  hddPriceUsdPerTb: number;
  /** Share of drives that fail in a year. */
  ssdAnnualFailureRate: number;
  hddAnnualFailureRate: number;
  hddsPerPod: number;
  /** How often the outage of this plan happens, apart from drives of pods that fail. */
  outagesPerYear: number;
  /** Bytes a second that one pod makes durable when it does nothing else; null when it is not known. */
  podFlushBytesPerSecond: number | null;
  drive: DriveInput;
  /** What is there already; null when nothing is. */
  installed: PoolInput | null;
}
