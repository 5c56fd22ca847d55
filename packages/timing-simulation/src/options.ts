/** Options of a scenario: plain data, so that it can be stored, sent to a thread and run again. */

import { recordBytes } from "@stashlight/contracts/space";
import type { DeviceFigures, DriveId } from "@stashlight/devices";
import type { Scheme } from "@stashlight/write-path";
import type { DelayCorrelation } from "./delay-correlation.ts";

/**
 * A share of all values, from 0 to 1, and the value in microseconds that this share does not exceed; both rise along a
 * list.
 */
export type Quantile = readonly [share: number, us: number];

export type ScenarioDrive =
  | { readonly type: "catalogue"; readonly driveId: DriveId }
  | { readonly type: "custom"; readonly figures: DeviceFigures }
  /** A sync takes the measured time, regardless of the bytes written. */
  | { readonly type: "measured"; readonly name: string; readonly syncUs: readonly Quantile[] };

/** CPU time that a coordinator's process spends on an upload before its shards leave. */
export type ProcessorTime =
  /** Serves uploads one after the other, with this service time. */
  | { readonly type: "constant"; readonly usPerUpload: number }
  /** Measured with its waiting time, so there is no further queueing; independent of the delay of messages. */
  | { readonly type: "measured"; readonly us: readonly Quantile[] };

export type Arrivals =
  | { readonly type: "steady"; readonly uploadsPerSecond: number }
  /** rate(t) = mean x (1 + swing x sin(2 pi t / period)): each period begins at the mean and rises. */
  | {
      readonly type: "diurnal";
      readonly uploadsPerSecond: number;
      readonly swing: number;
      readonly periodSeconds: number;
    }
  /** Each rate applies until the next point. */
  | {
      readonly type: "trace";
      readonly points: readonly (readonly [second: number, uploadsPerSecond: number])[];
    };

/** A stalled process neither receives nor answers; it processes the backlog when it continues. */
export interface StashStalls {
  readonly perMinute: number;
  readonly ms: number;
}

export type ScenarioFault =
  /** The first `podCount` pods are away: they receive nothing, and restart with everything they had written. */
  | {
      readonly type: "pod outage";
      readonly atSecond: number;
      readonly durationSeconds: number;
      readonly podCount: number;
    }
  | {
      readonly type: "slow drive";
      readonly atSecond: number;
      readonly durationSeconds: number;
      readonly of: "pod" | "stash";
      readonly factor: number;
    }
  /** The server is gone with all its drives until the end. */
  | { readonly type: "dead stash server"; readonly atSecond: number };

export interface ScenarioOptions {
  readonly seed: number;
  readonly durationSeconds: number;
  readonly scheme: Scheme;
  readonly stashServers: number;
  readonly drivesPerServer: number;
  readonly stashDrive: ScenarioDrive;
  /** Bytes of each stash drive that the log may use. */
  readonly stashBytesPerDrive: number;
  /** Fill level above which a drive accepts nothing more. */
  readonly fullShare: number;
  /** 1 makes a drive serve shard after shard, without group commit. */
  readonly shardsPerCommitMax: number;
  /**
   * Share of the stash's syncs whose duration is common to all drives at that moment: 0 for separate drives, more if
   * drives share a disk or a machine. `alike`, if given, replaces it.
   */
  readonly stashSharedShare: number;
  /**
   * Pauses of the stash servers' processes, at separate moments for each server. Null if there are none, or if
   * `stashMessageUs` was measured and includes them.
   */
  readonly stashStalls: StashStalls | null;
  readonly podDrive: ScenarioDrive;
  readonly networkUsMin: number;
  readonly networkUsMax: number;
  /**
   * Measured delays, which replace both limits above; they apply to the stash's messages too, unless those were
   * measured separately.
   */
  readonly messageUs: readonly Quantile[] | null;
  readonly stashMessageUs: readonly Quantile[] | null;
  /**
   * Correlation of an upload's measured messages, and of its syncs on the stash. Null: all delays of a moment have the
   * same rank.
   */
  readonly alike: DelayCorrelation | null;
  readonly processor: ProcessorTime;
  /** CPU time that a pod or stash node spends on a shard before its drive receives it. */
  readonly nodeUsPerShard: number;
  readonly recordHeaderBytes: number;
  readonly recordAlignBytes: number;
  readonly arrivals: Arrivals;
  readonly sizes: readonly { readonly bytes: number; readonly share: number }[];
  readonly isStashEnabled: boolean;
  readonly faults: readonly ScenarioFault[];
  /** A scenario of at most this many uploads is run in full; a larger one in parts, which are joined. */
  readonly exactUploadCountMax: number;
}

export function scenarioShardCount({ scheme }: Pick<ScenarioOptions, "scheme">): number {
  return scheme.dataShardCount + scheme.parityShardCount;
}

/** Bytes of one record of a log: header and shard, rounded up to the alignment. */
export function scenarioRecordBytes(options: ScenarioOptions, objectBytes: number): number {
  return recordBytes(Math.ceil(objectBytes / options.scheme.dataShardCount), options);
}

/** Mean bytes that an upload adds to the stash. */
export function stashBytesPerUpload(options: ScenarioOptions): number {
  let bytes = 0;
  let weight = 0;
  for (const size of options.sizes) {
    bytes += size.share * scenarioRecordBytes(options, size.bytes);
    weight += size.share;
  }
  return (scenarioShardCount(options) * bytes) / weight;
}
