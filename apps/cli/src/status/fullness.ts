/** Whether the pods have space, in a sentence with what to do if they have not. */

import { vaultMarks } from "@stashlight/contracts/judgement";
import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import { fullnessOf, markOf } from "@stashlight/contracts/vault/fullness";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { formatShare } from "../units.ts";
import type { DriveHealth } from "./health.ts";

export interface VaultRoom {
  /** Null while no pod reports. */
  readonly fullness: number | null;
  /** At the growth rate of `overSeconds`; null if the vault does not grow, or the rate is not known yet. */
  readonly secondsToFull: number | null;
  readonly overSeconds: number | null;
}

export function roomOf(pods: readonly DriveHealth[]): VaultRoom {
  const logs = pods.flatMap(({ log }) => (log === null ? [] : [log]));
  const fullness = fullnessOf(
    logs.map(({ dataBytesFree, dataBytesMax }) => ({ freeBytes: dataBytesFree, usableBytes: dataBytesMax })),
  );
  const growing = logs.flatMap(({ growth }) => (growth === null ? [] : [growth]));
  // Pods that have just restarted would make the growth of some pods look like that of all.
  if (fullness === null || growing.length < logs.length) {
    return { fullness, secondsToFull: null, overSeconds: null };
  }
  const freeBytes = logs.reduce((total, { dataBytesFree }) => total + dataBytesFree, 0);
  const bytesPerSecond = growing.reduce((total, each) => total + each.bytesPerSecond, 0);
  return {
    fullness,
    secondsToFull: bytesPerSecond > 0 ? freeBytes / bytesPerSecond : null,
    overSeconds: Math.min(...growing.map((each) => each.overSeconds)),
  };
}

/** Empty while there is space for longer than a day. */
export function fullnessProblems(file: VaultFile, room: VaultRoom): string[] {
  const { fullness, secondsToFull, overSeconds } = room;
  if (fullness === null) return [];
  const mark = markOf(fullness);
  const isSoonFull = secondsToFull !== null && secondsToFull < vaultMarks.timeToFullSecondsWarning;
  if (mark === "roomy" && !isSoonFull) return [];
  const share = `Pods are ${formatShare(fullness)} full`;
  if (mark === "full") return [`${share}: new objects are refused, or soon will be. ${wayOut(file)}`];
  const growth =
    secondsToFull === null || overSeconds === null
      ? ""
      : `. At the rate of the last ${formatTime(overSeconds)} the vault will be full in ${formatTime(secondsToFull)}`;
  return [`${share}${growth}. ${wayOut(file)}`];
}

function wayOut({ nodes, podVolume, stashVolume }: VaultFile): string {
  const isOfOneMachine = nodes.every(({ host }) => host === "127.0.0.1");
  if (!isOfOneMachine) {
    return `Delete objects, or raise podVolume.segmentCount above ${podVolume.segmentCount} in the vault's file and start the pods again.`;
  }
  const bytes = nodes.reduce((sum, node) => {
    if (node.role === "coordinator") return sum;
    const { segmentBytes, segmentCount } = node.role === "pod" ? podVolume : stashVolume;
    return sum + node.drives.length * segmentBytes * segmentCount;
  }, 0);
  const gigabytes = Math.ceil((bytes / 1e9) * 10) / 10;
  return `Delete objects, or stop and start with --vault-size above ${gigabytes}GB.`;
}

function formatTime(seconds: number): string {
  const [unitSeconds, unit] =
    seconds >= 2 * DAY_SECONDS ? [DAY_SECONDS, "d"] : seconds >= 3_600 ? [3_600, "h"] : [60, "min"];
  return `${Math.max(1, Math.round(seconds / unitSeconds))} ${unit}`;
}
