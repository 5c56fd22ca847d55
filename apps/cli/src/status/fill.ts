/** Describes the vault's space, and recommends action when it is short. */
import { fillOfCoordinators } from "@stashlight/contracts/health";
import {
  describeFullIndex,
  describeFullness,
  describeIndexLimit,
  describeRawSpace,
  describeSpace,
  type Fill,
  formatFill,
  INDEX_ADVICE,
  type IndexUse,
} from "@stashlight/contracts/space";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { counted } from "../units.ts";
import type { CoordinatorHealth, DriveHealth } from "./health.ts";

/** Null before a coordinator reports. The raw bytes need the answers of all pods' drives. */
export function readFill(
  coordinators: readonly CoordinatorHealth[],
  pods: readonly (DriveHealth | null)[],
  atMs: number,
): Fill | null {
  const fill = fillOfCoordinators(
    coordinators.flatMap(({ space }) => space ?? []),
    atMs,
  );
  const logs = pods.flatMap((drive) => drive?.log ?? []);
  if (fill === null || logs.length < pods.length || logs.length === 0) return fill;
  const sumField = (field: "bytesUsed" | "bytesTotal"): number =>
    logs.reduce((sum, log) => sum + log[field], 0);
  return { ...fill, raw: { usedBytes: sumField("bytesUsed"), capacityBytes: sumField("bytesTotal") } };
}

/** "93.3 % full: 845 MB used of 909 MB for objects; 1.2 GB of 2.01 GB on drives, parity and garbage included". */
export function describeFill(fill: Fill): string {
  const raw = describeRawSpace(fill);
  return `${formatFill(fill.share)} full: ${describeSpace(fill)}${raw === null ? "" : `; ${raw}`}`;
}

/** Null until a pod reports it. Takes the most records, the lowest limit and the highest share of any pod. */
export function readIndexUse(pods: readonly (DriveHealth | null)[]): IndexUse | null {
  const all = pods.flatMap((drive) => drive?.index ?? []);
  if (all.length === 0) return null;
  return {
    records: Math.max(...all.map(({ records }) => records)),
    recordsMax: Math.min(...all.map(({ recordsMax }) => recordsMax)),
    share: Math.max(...all.map(({ share }) => share)),
  };
}

/** "1,200 records on the fullest pod; up to about 3.9 million per pod". */
export const describeIndexUse = (use: IndexUse): string =>
  `${counted(use.records, "record")} on the fullest pod; ${describeIndexLimit(use)}`;

/** Empty while there is memory for more objects. */
export function indexProblems({ name }: VaultFile, use: IndexUse | null): string[] {
  const sentence = use === null ? null : describeFullIndex(name, use);
  return sentence === null ? [] : [`${sentence}. ${INDEX_ADVICE}`];
}

/**
 * Empty while there is space. Only the console forecasts when the vault will be full: it has the history, and a second
 * forecast from the hours since an agent's start would differ.
 */
export function fullnessProblems(file: VaultFile, fill: Fill | null): string[] {
  const sentence = fill === null ? null : describeFullness(file.name, fill.share);
  return sentence === null ? [] : [`${sentence}. ${wayOut(file)}`];
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
