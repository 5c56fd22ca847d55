/** Whether the pods have space, in a sentence with what to do if they have not. */

import { fullnessOf, markOf } from "@stashlight/contracts/vault/fullness";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { formatShare } from "../units.ts";
import type { DriveHealth } from "./health.ts";

export interface VaultRoom {
  /** Null while no pod reports. */
  readonly fullness: number | null;
}

export function roomOf(pods: readonly DriveHealth[]): VaultRoom {
  const logs = pods.flatMap(({ log }) => (log === null ? [] : [log]));
  return {
    fullness: fullnessOf(
      logs.map(({ dataBytesFree, dataBytesMax }) => ({
        freeBytes: dataBytesFree,
        usableBytes: dataBytesMax,
      })),
    ),
  };
}

/**
 * Empty while there is space. When the vault will be full is for the console to say: it has the history, and a second
 * forecast from the hours since an agent's start would say something else.
 */
export function fullnessProblems(file: VaultFile, { fullness }: VaultRoom): string[] {
  if (fullness === null) return [];
  const mark = markOf(fullness);
  if (mark === "roomy") return [];
  const share = `Pods are ${formatShare(fullness)} full`;
  if (mark === "full") return [`${share}: new objects are refused, or soon will be. ${wayOut(file)}`];
  return [`${share}. ${wayOut(file)}`];
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
