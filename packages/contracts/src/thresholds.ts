/**
 * Limits by which figures are judged, each with its reason. Pages, alert rules, agents, the planner and the simulation
 * read them here, so that a page is yellow exactly when a rule would warn. This file imports nothing, because browsers
 * load it too. `samplesNeeded` of packages/stats has the sample counts that percentiles need.
 */
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_MS, MINUTE_SECONDS } from "./time/duration.ts";

/** Hysteresis of alerts: a value that hovers around a limit is one alert, not one per crossing. */
export const hysteresisMarks = {
  /** A value better than the limit by at least this share is clear of it, and the rule's own time applies. */
  marginShare: 0.1,
  /**
   * A value within this margin, or a percentile, which swings across any margin, must stay within the limit for this
   * long: slow drives on a shared disk recovered and relapsed every eight minutes.
   */
  settleSeconds: 15 * MINUTE_SECONDS,
} as const;

/** Fill of a stash's SSDs: used bytes over capacity. */
export const stashMarks = {
  /**
   * From this share on a stash device accepts no further uploads; they take the direct path and wait for HDDs. The last
   * quarter is for uploads in progress and for compaction. A vault's file may set another share.
   */
  fullShare: 0.75,
  /**
   * A full device accepts uploads again once its share has fallen by this much, so that it does not change with every
   * purge.
   */
  reliefShare: 0.05,
  /** The log will soon run out of free segments, because purges no longer keep up even with uploads in progress. */
  exhaustedShare: 0.9,
  /** A stash that will be full within this time needs attention at once, because outages of pods last that long. */
  timeToFullSecondsBad: HOUR_SECONDS,
  /** A stash that will be full within this time needs attention in the same shift. */
  timeToFullSecondsWarning: 6 * HOUR_SECONDS,
} as const;

/** Time until SSDs are worn out. */
export const wearMarks = {
  /** A quarter is enough to order drives and to replace them one after the other. */
  wornOutDaysWarning: 90,
} as const;

/** Fill of a vault: the used share of its capacity for objects. */
export const vaultMarks = {
  /**
   * The demo load writes nothing at or above this share. The space up to the warning is for the user who tries out the
   * vault, so the demo never triggers a warning.
   */
  demoStopShare: 0.6,
  /**
   * Warns the operator and skips the demo's own benchmarks: the last fifth leaves time to order drives or delete
   * objects.
   */
  warningShare: 0.8,
  /**
   * The vault counts as full. Uploads in progress at that moment, on all coordinators together, fit into the last
   * twentieth, so that none fails midway.
   */
  fullShare: 0.95,
  /** A vault that will be full within this time needs attention at once. */
  timeToFullSecondsBad: HOUR_SECONDS,
  /** A vault that will be full within this time needs attention during the next working hours. */
  timeToFullSecondsWarning: DAY_SECONDS,
} as const;

/** Memory that the indexes of a vault's pods take, as a share of the memory at which uploads are refused. */
export const indexMarks = {
  warningShare: 0.8,
  fullShare: 1,
} as const;

/** Share of the epochs that coordinators of several vaults can keep. */
export const epochMarks = {
  /** From half on, the oldest epochs are merged although they differ, and reads of old keys then query more vaults. */
  warningShare: 0.4,
} as const;

/**
 * Time that shards stay on the stash after they are durable there: the p99 of the lag between a commit and its purge.
 */
export const purgeLagMarks = {
  /**
   * Purges follow flushes, which come every few seconds, and plans assume a p99 of two minutes; above that the stash
   * holds more than it was sized for.
   */
  lateSeconds: 2 * MINUTE_SECONDS,
  /** After five times the planned residence a pod does not flush or does not purge at all. */
  stuckSeconds: 10 * MINUTE_SECONDS,
  /** The alert rule and the tile judge the purges of this time. */
  windowSeconds: 5 * MINUTE_SECONDS,
} as const;

/**
 * Shortest sync that is a stall; a drive whose p99 exceeds it is slow. An upload waits for every sync of an SSD and for
 * none of an HDD.
 */
export const slowFsyncSeconds = { stash: 0.05, pod: 0.5 } as const;

/**
 * A drive is unusually slow when a percentile of its syncs is this many times its usual value, even if it is below the
 * limit for all drives. Below `floorShare` of that limit no upload is delayed, even if the percentile is unusual.
 */
export const unusualFsyncMarks = { times: 3, floorShare: 0.1 } as const;

/** Fill of a watched machine's file systems. */
export const filesystemMarks = {
  /** File systems slow down and fragment files in their last tenth, and logs that stop make everything else worse. */
  warningShare: 0.9,
} as const;

/** Limits for silent nodes. Agents report every 10 s. */
export const silenceMarks = {
  /** Two reports are missing, plus five seconds for slow machines; pages then show the node as silent. */
  shownAfterMs: 25_000,
  /** Agents wait up to a minute before they retry an unreachable ingest, so only then is their report due. */
  restartGraceMs: MINUTE_MS,
  /** An ingest writes its heartbeat every 10 s; without the next one it may itself be down. */
  ingestHeartbeatMs: 13_000,
  /** A restart of the node has ended by then, so longer silence has another cause. */
  alertAfterMinutes: 2,
} as const;

/** A scrub round reads back everything that a drive holds and compares it with its checksums. */
export const scrubMarks = {
  /** Days of a round, unless the vault's file sets another number. */
  roundDays: 30,
  /**
   * Just before a round ends, the oldest unverified data is two rounds old. Rounds are paced to end after this share of
   * their time, so that a drive that keeps up is never late.
   */
  roundShare: 0.9,
  /** While no client uses a drive, a round runs this many times as fast as an even pace would. */
  idlePaces: 4,
  /** A drive that no client has used for this long is idle. */
  idleAfterMs: 1000,
  /** Scrub is late when the oldest unverified data is older than this many rounds. */
  lateRounds: 2,
  /** Highest rate of a scrub on a drive. An HDD reads at five times this rate, and clients come first. */
  bytesPerSecond: 32_000_000,
  /** A disk with more requests in progress from others than this, on average, is busy. */
  busyRequests: 0.1,
  /** Share of its rate that a requested round gets on a busy disk, at least. */
  yieldedShare: 1 / 8,
  /** A round that has exceeded its time reads at this many times the even pace, at least. */
  latePaces: 2,
  /** Bounds of the rate that an operator may set instead. */
  bytesPerSecondMin: 10_000,
  bytesPerSecondMax: 10_000_000_000,
} as const;

/** Durable shards of an upload beyond those that a read needs. */
export const marginMarks = {
  /** With fewer, the loss of one more drive loses data. */
  badBelowShards: 1,
  /** With fewer, the loss of one drive leaves none to spare. */
  warningBelowShards: 2,
} as const;

/** Durability of a vault, as it is modelled from what its agents report. */
export const durabilityMarks = {
  /** The figure that providers publish, and the planner's default target. */
  ninesTarget: 11,
  /** With less than half of the parity shards to spare, few further failures lead to loss. */
  thinSpareShare: 0.5,
} as const;

/** Multiple of the current load that the pool carries. */
export const headroomMarks = {
  /** Drives take weeks to arrive, and the load may grow by half in that time. */
  warningBelowTimes: 1.5,
  /** A pool is judged only by loads at least this long, as forecasts are: a first start or test has ended by then. */
  loadSecondsMin: 6 * HOUR_SECONDS,
} as const;

/** Clock difference allowed between a vault's machines, and its console. */
export const clockMarks = {
  /** Within this difference, uploads of one key by two coordinators may be ordered wrongly, and wait for each other. */
  skewMsMax: 5000,
} as const;

/** Limits of one Postgres, beyond which the metric store takes another storage profile. */
export const onePostgresMarks = {
  /** Beyond it, statements over all nodes, such as roll-ups and fleet queries, take too long. */
  nodesMax: 10_000,
  /**
   * Rows per second with their samples. docs/measurements/2026-11-24-metric-store.md has 24,300 over HTTP, with ingest
   * and Postgres sharing two cores; the rest is for roll-up and pages. All rows go into one log, so more cores add less
   * capacity than cost.
   */
  rowsPerSecondMax: 20_000,
  /** A restore at 300 MB/s takes a working day, during which nothing is watched. */
  sizeBytesMax: 8e12,
  /** The roll-up runs every few seconds: with a worker running, an hour's lag means that the server is too slow. */
  rollUpLateSeconds: HOUR_SECONDS,
  /** Another profile needs a new database and mostly other machines, which take a year to budget and order. */
  noticeDays: 365,
  /** Nodes of the first week are the initial installation, not growth. */
  beginningDays: 7,
  /** Machines are bought monthly: with a shorter history the rate reflects only the date of the last order. */
  growthDaysMin: 30,
  /** A rate from older nodes is outdated. */
  growthDaysMax: 365,
  /** With fewer, the rate is chance: for a Poisson count of 5, the exact 95 % interval of the mean is 1.6 to 11.7. */
  growthNodesMin: 5,
  /** Raw windows are kept for two days: the day after them shows the size of the tables. */
  sizeDaysMin: 3,
  /** Operators do not plan a database further ahead. */
  horizonYears: 20,
} as const;

/** Lifetime of node certificates. */
export const certificateMarks = {
  /** Limits the use of a stolen key, because there is no list of revoked certificates. */
  lifetimeDays: 90,
  /** When a third is left a reminder to renew appears; a month is enough even if the operator is on holiday. */
  renewDaysLeft: 30,
  /** The reminder had no effect, and two weeks remain for machines that cannot be reached at once. */
  alertDaysLeft: 14,
} as const;

/**
 * With fewer runs even the clearest level change may be luck, because there are too few ways to shuffle them for a
 * p-value of 0.001.
 */
export const changeMarks = { runsMin: 12 } as const;
