/** Progress of pods with missing shards and of draining stash servers, with their estimated ends. */

import { describeSpareShards } from "@stashlight/contracts/vault-state";
import { counted, formatDuration, formatShare, formatSize } from "../units.ts";
import type { DrainReport, DriveReport, StatusReport } from "./report.ts";

export interface RebuildProgress {
  readonly missingShardCount: number;
  readonly missingBytes: number;
  /** Maximum since the last time that nothing was missing. */
  readonly totalBytes: number;
  /** Sum over all pods; null if unknown. */
  readonly bytesPerSecond: number | null;
  /** Pods that have not settled and do not yet know their missing shards, or are not counted by any coordinator. */
  readonly unsettled: readonly DriveReport[];
  /** Null if unknown. */
  readonly secondsLeft: number | null;
}

/** A pod with an unknown rate is assumed to run at its limit. */
export function progressLines({
  pods,
  rebuildBytesPerSecond,
}: Pick<StatusReport, "pods" | "rebuildBytesPerSecond">): RebuildProgress {
  const unsettled = pods.filter(({ isWell, isCounted }) => !isWell || !isCounted);
  const missing = pods.flatMap((pod) => pod.missing ?? []);
  const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const rates = missing.flatMap(({ bytesPerSecond }) => bytesPerSecond ?? []);
  // Pods rebuild concurrently, each at its own rate.
  const seconds = missing.map(
    ({ bytes, bytesPerSecond }) => bytes / (bytesPerSecond ?? rebuildBytesPerSecond),
  );
  return {
    missingShardCount: sumValues(missing.map(({ shardCount }) => shardCount)),
    missingBytes: sumValues(missing.map(({ bytes }) => bytes)),
    totalBytes: sumValues(missing.map(({ totalBytes }) => totalBytes)),
    bytesPerSecond: rates.length === 0 ? null : sumValues(rates),
    unsettled,
    secondsLeft: unsettled.length > 0 ? null : Math.max(0, ...seconds),
  };
}

export function describeProgress(
  progress: RebuildProgress,
  { margin, lostObjectCount }: Pick<StatusReport, "margin" | "lostObjectCount">,
): string {
  const { missingBytes, missingShardCount, totalBytes, bytesPerSecond, unsettled, secondsLeft } = progress;
  const safety = margin === null ? "" : `; ${describeSpareShards(margin)}`;
  const waiting = unsettled
    .map(({ index, state, isCounted }) => `pod ${index} is ${isCounted ? state : "not counted"}`)
    .join(", ");
  if (missingShardCount === 0)
    return waiting === "" ? `All pods hold all their shards${safety}.` : `${waiting}${safety}.`;
  const end = secondsLeft === null ? "" : `, about ${formatDuration(secondsLeft)} to full redundancy`;
  const left = lostObjectCount === 0 ? end : "; those of objects that cannot be read wait for drives";
  const lacking = `${counted(missingShardCount, "shard")} of ${formatSize(missingBytes)} missing`;
  const done = totalBytes > missingBytes ? `, ${formatShare(1 - missingBytes / totalBytes)} done` : "";
  const rate = bytesPerSecond === null ? "" : ` at ${formatSize(Math.round(bytesPerSecond))}/s`;
  return `${waiting === "" ? "" : `${waiting}; `}${lacking}${done}${rate}${left}${safety}.`;
}

/** Describes the remaining content of a draining server's devices. */
export function describeDrain(nodeId: string, devices: readonly DrainReport[]): string {
  const sumDevices = (of: (device: DrainReport) => number) =>
    devices.reduce((sum, device) => sum + of(device), 0);
  const left = sumDevices((device) => device.left);
  if (left === 0) return `${nodeId} is drained and holds nothing.`;
  const seconds = devices.map((device) =>
    device.left === 0 ? 0 : device.perSecond === null ? null : device.left / device.perSecond,
  );
  const known = seconds.filter((each) => each !== null);
  const when =
    known.length < seconds.length ? "" : `, about ${formatDuration(Math.max(...known))} until it is empty`;
  const perSecond = sumDevices((device) => device.perSecond ?? 0);
  const rate = perSecond === 0 ? "" : ` at ${Number(perSecond.toPrecision(2))} per second`;
  const total = sumDevices((device) => device.total);
  return `${nodeId} is being drained: ${counted(left, "shard")} of ${total} left${rate}${when}.`;
}
