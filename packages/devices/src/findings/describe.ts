/** Describes a drive's limits in sentences. */

import { byPlace, cellIops, type DiskCellResult } from "@stashlight/contracts/disk";
import { taggedShareMax } from "@stashlight/contracts/sample";
import {
  type Cap,
  estimateRefill,
  findCap,
  findShaping,
  type Refill,
  type Shaping,
  type TokenBucket,
} from "@stashlight/stats";
import { ebsTypeNames } from "../ebs/limits.ts";
import { matchVolume } from "../ebs/match.ts";
import { formatCount, formatShare, formatSize, formatTime } from "./format.ts";

const SECONDS_MIN = 30;
const CAP_SIZES_MIN = 3;

export interface LimitFinding {
  readonly shaping: Shaping;
  readonly sentence: string;
  /** Short form of the sentence, for tables. */
  readonly short: string;
  /** Rate of each second as the finding predicts it. */
  readonly fitted: readonly number[];
}

/**
 * Finds the limit in the rates per second of one load; null with fewer than 30 seconds. `month` selects EBS's limits,
 * "2026-11".
 */
export function findLimit(iops: readonly number[], month: string): LimitFinding | null {
  if (iops.length < SECONDS_MIN) return null;
  const shaping = findShaping(Float64Array.from(iops));
  return {
    shaping,
    sentence: describe(shaping, month),
    short: describeShortly(shaping),
    fitted: iops.map((_, second) => fittedAt(shaping, second)),
  };
}

/**
 * Reports that checks were too short to show a temporary limit. Null if one was long enough or none was measured:
 * sweeps end when their rate is level, and synced appends are about syncs.
 */
export function describeTooShort(
  results: readonly Pick<DiskCellResult, "cell" | "perSecond">[],
): string | null {
  const checks = results.filter(({ cell }) => cell.roundSeconds === null && !cell.syncsWrites);
  const longest = Math.max(0, ...checks.map(({ perSecond }) => perSecond.iops.length));
  if (checks.length === 0 || longest >= SECONDS_MIN) return null;
  return `Too short to show a temporary limit: ${longest} whole seconds were measured, and ${SECONDS_MIN} are needed. Check for at least ${SECONDS_MIN} s; bursts of cloud volumes last minutes to half an hour.`;
}

/** Returns null if the machine disturbed at most `taggedShareMax` of the seconds, or if that is unknown. */
export function describeDisturbance(
  results: readonly Pick<DiskCellResult, "perSecond">[],
  isOwnTool: boolean,
): string | null {
  const shares = results.flatMap(({ perSecond }) => perSecond.waitedShare ?? []);
  const disturbed = shares.filter((share) => share > taggedShareMax);
  if (disturbed.length <= shares.length * taggedShareMax) return null;
  const mean = disturbed.reduce((sum, share) => sum + share, 0) / disturbed.length;
  return `The machine disturbed ${formatCount(disturbed.length)} of ${formatCount(shares.length)} seconds: in them requests waited for a processor for ${formatShare(mean)} of their time, so that rates and latencies may be those of this machine and not of the drive. Measure again when its processors have less to do${isOwnTool ? ", or install fio, which needs less processor time at deep queues than the built-in reader and writer" : ""}.`;
}

function describeShortly(shaping: Shaping): string {
  switch (shaping.kind) {
    case "level":
      return `no limit: level at ${formatCount(shaping.rate)} IOPS`;
    case "token-bucket":
      return `bucket: ${formatCount(shaping.burstRate)}, then ${formatCount(shaping.baseRate)} IOPS`;
    case "steps":
      return `steps: ${shaping.levels.map(({ rate }) => formatCount(rate)).join(", ")} IOPS`;
    case "periodic":
      return `period of ${shaping.periodSeconds.toFixed(1)} s`;
    case "varies":
      return `varies: ${shaping.levels.length} levels`;
  }
}

function fittedAt(shaping: Shaping, second: number): number {
  switch (shaping.kind) {
    case "level":
    case "periodic":
      return shaping.rate;
    case "token-bucket": {
      const { burstRate, baseRate, burstSeconds } = shaping;
      const burstShare = Math.min(1, Math.max(0, burstSeconds - second));
      return burstShare * burstRate + (1 - burstShare) * baseRate;
    }
    case "steps":
    case "varies":
      return shaping.levels.find(({ from, to }) => second >= from && second < to)?.rate ?? 0;
  }
}

function describe(shaping: Shaping, month: string): string {
  switch (shaping.kind) {
    case "level":
      return `No temporary limit: level at ${formatCount(shaping.rate)} IOPS, single seconds differ by ${formatShare(shaping.rate === 0 ? 0 : shaping.noise / shaping.rate)}.`;
    case "token-bucket":
      return bucketSentence(shaping, month);
    case "steps": {
      const rates = shaping.levels.map(({ rate }) => formatCount(rate));
      return `It steps down and stays there, ${rates.join(", then ")} IOPS: limits in series, such as those of a volume and of its instance.`;
    }
    case "periodic":
      return `It goes up and down by ${formatShare(shaping.swingShare)} every ${shaping.periodSeconds.toFixed(1)} s around ${formatCount(shaping.rate)} IOPS, as under a periodic limit.`;
    case "varies": {
      const rates = shaping.levels.map(({ rate }) => rate);
      return `It varies between ${formatCount(Math.min(...rates))} and ${formatCount(Math.max(...rates))} IOPS in ${shaping.levels.length} levels, up and down: no fixed limit, but neighbours or the drive's own work.`;
    }
  }
}

function bucketSentence(bucket: TokenBucket, month: string): string {
  const { burstRate, baseRate, burstSeconds, bucketTokens, bucketInterval, errorShare } = bucket;
  const match = matchVolume(
    { credit: "io", burstPerSecond: burstRate, basePerSecond: baseRate, tokens: bucketTokens },
    month,
  );
  const likeness =
    match === null
      ? "No EBS volume behaves this way."
      : `An EBS ${ebsTypeNames[match.type]} volume of ${match.sizeGiB} GiB behaves this way, within ${formatShare(match.deviation)}.`;
  const interval = `${formatCount(bucketInterval.low)} to ${formatCount(bucketInterval.high)} at 95 %`;
  return `${formatCount(burstRate)} IOPS for ${formatTime(burstSeconds)}, then ${formatCount(baseRate)}: a token bucket of ${formatCount(bucketTokens)} I/Os (${interval}; more if it was not full at the start), refilled at ${formatCount(baseRate)} per second. This model is off by ${formatShare(errorShare)} on average. ${likeness}`;
}

/** Describes the refill during a rest between two checks of the same load; null without a rest. */
export function refillSentence(
  results: readonly Pick<DiskCellResult, "perSecond">[],
  restSeconds: number | null,
): string | null {
  if (restSeconds === null) return null;
  const [first, rested] = results.map(({ perSecond }) =>
    perSecond.iops.length < SECONDS_MIN ? null : findShaping(Float64Array.from(perSecond.iops)),
  );
  if (first?.kind !== "token-bucket" || rested?.kind !== "token-bucket") {
    return "No token bucket was found both before and after the rest, so it shows nothing about a refill.";
  }
  const came = `After a rest of ${formatTime(restSeconds)} the burst had ${formatCount(rested.bucketTokens)} I/Os`;
  return describeRefill(came, estimateRefill(first, [{ restSeconds, burst: rested }]));
}

function describeRefill(came: string, refill: Refill): string {
  const rate = formatCount(refill.tokensPerSecond);
  if (refill.kind === "at-least") {
    return `${came}, as many as at first: the bucket was full again, so it refills at ${rate} per second or more. Rest for a shorter time to measure it.`;
  }
  const { low, high } = refill.interval;
  return `${came}: without load the bucket refills at ${rate} per second (${formatCount(low)} to ${formatCount(high)} at 95 %).`;
}

type MeasuredRate = Pick<DiskCellResult, "cell" | "readsPerSecond" | "writesPerSecond">;

/** Returns a sentence per access and operation whose block sizes share a cap, at the deepest queue. */
export function capSentences(results: readonly MeasuredRate[]): string[] {
  const pure = results.filter(({ cell }) => cell.readShare === 0 || cell.readShare === 1);
  const deepest = Math.max(...pure.map(({ cell }) => cell.queueDepth));
  const groups = Map.groupBy(
    pure.filter(({ cell }) => cell.queueDepth === deepest).toSorted((a, b) => byPlace(a.cell, b.cell)),
    ({ cell }) => `${cell.access} ${cell.readShare === 1 ? "reads" : "writes"}`,
  );
  return [...groups].flatMap(([name, cells]) => {
    const rates = cells.map((each) => ({ blockBytes: each.cell.blockBytes, iops: cellIops(each) }));
    if (rates.length < CAP_SIZES_MIN || rates.some(({ iops }) => iops === 0)) return [];
    const sentence = capSentence(findCap(rates));
    if (sentence === null) return [];
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} at queue depth ${deepest}: ${sentence}`;
  });
}

function capSentence(cap: Cap): string | null {
  switch (cap.kind) {
    case "none":
      return null;
    case "iops":
      return `${formatCount(cap.iops)} IOPS at every block size, a cap in IOPS.`;
    case "bytes":
      return `${megabytes(cap.bytesPerSecond)} at every block size, a cap in bytes.`;
    case "both":
      return `${formatCount(cap.iops)} IOPS up to blocks of ${formatSize(cap.kneeBlockBytes)}, and ${megabytes(cap.bytesPerSecond)} from there on.`;
  }
}

const megabytes = (bytesPerSecond: number): string => `${formatCount(bytesPerSecond / 1e6)} MB/s`;
