/**
 * Fullness of a vault: the share of the usable bytes on the pods' drives that new data can no longer take. It excludes
 * the reserve, which deletes and compaction need in a full vault, and garbage, which compaction turns into free space.
 * The limits by which it is judged are `vaultMarks`.
 */
import { vaultMarks } from "../judgement.ts";

/** The vault that `npm start` makes beside Stashlight. */
export const localVaultName = "local";

/** One pod drive: the bytes that new data may still take, and the most that data may take. */
export interface PodRoom {
  readonly freeBytes: number;
  readonly usableBytes: number;
}

/** Null if no drive reports. */
export function fullnessOf(rooms: readonly PodRoom[]): number | null {
  const usableBytes = rooms.reduce((sum, room) => sum + room.usableBytes, 0);
  if (usableBytes <= 0) return null;
  return 1 - rooms.reduce((sum, room) => sum + room.freeBytes, 0) / usableBytes;
}

export type VaultMark = "roomy" | "warning" | "full";

export function markOf(fullness: number): VaultMark {
  if (fullness >= vaultMarks.fullShare) return "full";
  return fullness >= vaultMarks.warningShare ? "warning" : "roomy";
}
