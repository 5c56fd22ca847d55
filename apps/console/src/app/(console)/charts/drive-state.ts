/** Applies firing alert rules and the node's silence to one drive's figures, as `applyVaultState` does for a vault. */
import type { FiringAlert } from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import { describeSilentFor } from "@stashlight/contracts/node";
import type { VaultFigure } from "./figure.ts";
import { type VaultState, worstOfRules } from "./vault-state.ts";

export interface DrivePlace {
  /** Name of the node. */
  readonly node: string;
  /** Absent for all drives of the node together, which no rule watches. */
  readonly device?: string;
}

/** Metrics by which rules watch a drive's figure. */
export const watchedDriveFigures: Readonly<Record<string, readonly MetricName[]>> = {
  "corrupt-records": [
    "stashlight_drive_corrupt_records",
    "stashlight_drive_damage_correlated",
    "stashlight_records_corrupt_total",
  ],
  "unreadable-records": ["stashlight_read_errors_total"],
  "oldest-unverified": ["stashlight_scrub_oldest_unverified_seconds"],
};

/** True if a rule about the figure fires for this drive. */
export const watchesDrive = (
  { status, labels, watched }: FiringAlert,
  id: string,
  { node, device }: DrivePlace,
): boolean =>
  status === "firing" &&
  device !== undefined &&
  labels.node === node &&
  labels.device === device &&
  (watchedDriveFigures[id] ?? []).includes(watched.metric);

export function applyDriveState(
  figures: readonly VaultFigure[],
  { firing, silences }: VaultState,
  place: DrivePlace,
): VaultFigure[] {
  const silence = silences.find(({ nodes }) => nodes.includes(place.node));
  return figures.map((figure) => {
    const own = firing.filter((alert) => watchesDrive(alert, figure.id, place));
    // The current count may already be 0 while the rule still fires because of the minutes before.
    const { status: judged, reason } = worstOfRules(own, figure.status);
    const status = silence !== undefined && judged === "good" ? "unknown" : judged;
    return {
      ...figure,
      ...(status === undefined ? {} : { status }),
      ...(reason === null ? {} : { detail: reason.summary }),
      ...(silence === undefined ? {} : { silence: describeSilentFor(silence.seconds) }),
    };
  });
}
