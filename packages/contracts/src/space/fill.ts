/**
 * Fill of a vault: used bytes over the capacity for objects, the figures by which coordinators admit uploads. The
 * capacity leaves out parity and the reserve for deletions and compaction; the space of a deleted object is free at
 * once, although its garbage stays on the drives for a while. Every page, rule, report, command and API answer uses
 * `measureFill`, so the fill is 100 % exactly while a coordinator refuses all uploads for lack of space. From
 * `vaultMarks.fullShare` on the vault counts as full, because the rest is for uploads in progress.
 */

import { formatMetricValue } from "../metrics/format-value.ts";
import { vaultMarks } from "../thresholds.ts";

/** Figure and the end of the window in which it was measured. */
export interface Measured {
  readonly bytes: number;
  readonly atMs: number;
}

export interface FillInputs {
  readonly objects: Measured | null;
  readonly room: Measured | null;
  /** Bytes on the pods' drives, including parity and garbage, and bytes of all their segments. */
  readonly rawUsed?: Measured | null;
  readonly rawCapacity?: Measured | null;
}

export interface Fill {
  /** From 0 to 1. Below 1 it is at most `SHARE_BELOW_FULL_MAX`, so that no rounding makes the vault full. */
  readonly share: number;
  readonly objectBytes: number;
  readonly roomBytes: number;
  readonly atMs: number;
  /** Null if the drives did not report at that moment. */
  readonly raw: { readonly usedBytes: number; readonly capacityBytes: number } | null;
}

/**
 * Windows whose ends differ by at most this count as simultaneous: nodes report every ten seconds, each at its own
 * times.
 */
export const ONE_MOMENT_MS = 60_000;
/**
 * Limit for figures of the same reports: after an outage one may include the pods that came back, while the other does
 * not yet, and a vault that is emptied has different byte counts half a minute later.
 */
const ONE_REPORT_MS = 20_000;
const SHARE_BELOW_FULL_MAX = 0.999;
/** A vault with less than this counts as empty, despite a few small objects. */
const SHARE_MIN = 0.0001;

/** Returns null while no coordinator reports, and for figures of different moments. */
export function measureFill({ objects, room, rawUsed = null, rawCapacity = null }: FillInputs): Fill | null {
  if (objects === null || room === null || room.bytes <= 0 || !isOneMoment(objects, room)) return null;
  const hasRaw =
    rawUsed !== null &&
    rawCapacity !== null &&
    Math.abs(objects.atMs - rawUsed.atMs) <= ONE_REPORT_MS &&
    Math.abs(rawUsed.atMs - rawCapacity.atMs) <= ONE_REPORT_MS;
  return {
    share: fillShare(objects.bytes, room.bytes),
    objectBytes: objects.bytes,
    roomBytes: room.bytes,
    atMs: Math.min(objects.atMs, room.atMs),
    raw: hasRaw ? { usedBytes: rawUsed.bytes, capacityBytes: rawCapacity.bytes } : null,
  };
}

/** Share of the space that is used, for rules and pages alike. */
export function fillShare(objectBytes: number, roomBytes: number): number {
  const share = objectBytes / roomBytes;
  if (share >= 1) return 1;
  return share < SHARE_MIN ? 0 : Math.min(share, SHARE_BELOW_FULL_MAX);
}

export function isOneMoment(...figures: readonly Measured[]): boolean {
  const times = figures.map(({ atMs }) => atMs);
  return Math.max(...times) - Math.min(...times) <= ONE_MOMENT_MS;
}

export type VaultMark = "roomy" | "warning" | "full";

export function vaultMark(share: number): VaultMark {
  if (share >= vaultMarks.fullShare) return "full";
  return share >= vaultMarks.warningShare ? "warning" : "roomy";
}

/** Formats "3.32 %", "87.1 %": three digits, as on tiles. */
export const formatFill = (share: number): string => formatMetricValue("share", share);

/** Formats "87 %", for narrow places: at most 99 % for a vault that still accepts uploads. */
export const formatFillShort = (share: number): string =>
  `${share >= 1 ? 100 : Math.min(99, Math.round(100 * share))} %`;

/**
 * Formats "845 MB used of 909 MB for objects". Objects take more than their bytes: each record has a header and fills
 * its last page, and space for uploads in progress is already reserved.
 */
export const describeSpace = (fill: Pick<Fill, "objectBytes" | "roomBytes">): string =>
  `${describeTaken(fill)} for objects`;

/** Formats "2.03 MB used of 189 MB for shards, parity included": drives do not know which shards are parity. */
export const describePodSpace = (fill: Pick<Fill, "objectBytes" | "roomBytes">): string =>
  `${describeTaken(fill)} for shards, parity included`;

const describeTaken = ({ objectBytes, roomBytes }: Pick<Fill, "objectBytes" | "roomBytes">): string =>
  `${formatMetricValue("bytes", objectBytes)} used of ${formatMetricValue("bytes", roomBytes)}`;

/** Formats "1.21 GB of 2.01 GB on drives, parity and garbage included"; null if the drives did not report. */
export function describeRawSpace({ raw }: Pick<Fill, "raw">): string | null {
  if (raw === null) return null;
  const [used, capacity] = [raw.usedBytes, raw.capacityBytes].map((bytes) =>
    formatMetricValue("bytes", bytes),
  );
  return `${used} of ${capacity} on drives, parity and garbage included`;
}

/**
 * Formats "Vault local is 97 % full: objects larger than the free space are refused"; null while it has space.
 * The caller adds advice. A vault refuses by object size, so that large objects are refused before it is full.
 */
export function describeFullness(vault: string, share: number): string | null {
  const sentence = `Vault ${vault} is ${formatFill(share)} full`;
  if (share >= 1) return `${sentence}: new objects are refused`;
  const mark = vaultMark(share);
  if (mark === "roomy") return null;
  return mark === "full" ? `${sentence}: objects larger than the free space are refused` : sentence;
}
