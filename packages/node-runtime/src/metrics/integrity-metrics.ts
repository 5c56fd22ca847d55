/** Integrity of a drive: unreadable and corrupt records, and the age of the last verification. */
import type { Recorder } from "@stashlight/telemetry";
import type { DriveHost } from "../drive/drive-host.ts";
import type { ScrubReport } from "../drive/drive-scrub.ts";

interface DriveLabels {
  readonly tier: "pod" | "stash";
  readonly device: string;
  readonly modelled: string | undefined;
}

export function integrityMetrics(
  recorder: Recorder,
  labels: DriveLabels,
): (host: Pick<DriveHost, "damage" | "scrubReport">) => void {
  const corrupt = recorder.gauge("stashlight_drive_corrupt_records", labels);
  const unreadable = recorder.gauge("stashlight_drive_unreadable_records", labels);
  const correlated = recorder.gauge("stashlight_drive_damage_correlated", labels);
  const oldest = recorder.gauge("stashlight_scrub_oldest_unverified_seconds", labels);
  const round = recorder.gauge("stashlight_scrub_round_seconds", labels);
  const progress = recorder.gauge("stashlight_scrub_progress_ratio", labels);
  const verified = recorder.gauge("stashlight_scrub_verified_bytes", labels);
  const found = recorder.gauge("stashlight_scrub_corrupt_records", labels);
  const readErrors = recorder.counter("stashlight_read_errors_total", labels);
  const corruptTotal = recorder.counter("stashlight_records_corrupt_total", labels);
  const repairedTotal = recorder.counter("stashlight_records_repaired_total", labels);
  return (host) => {
    const damage = host.damage();
    corrupt.set(damage.corruptCount);
    unreadable.set(damage.unreadableCount);
    correlated.set(damage.corruptCount === null ? null : damage.isCorrelated ? 1 : 0);
    readErrors.follow(damage.readErrorTotal);
    corruptTotal.follow(damage.corruptTotal);
    repairedTotal.follow(damage.repairedTotal);
    const scrub = host.scrubReport();
    oldest.set(scrub.oldestUnverifiedSeconds);
    round.set(scrub.roundSeconds);
    progress.set(shareDone(scrub));
    verified.set(scrub.bytesVerifiedTotal);
    found.set(scrub.corruptCountTotal);
  };
}

/** Share of the round that is complete; a drive that rests until its next round has completed the last one. */
function shareDone({
  bytesVerified,
  bytesTotal,
  isResting,
}: Pick<ScrubReport, "bytesVerified" | "bytesTotal" | "isResting">): number | null {
  if (bytesTotal === null) return null;
  if (isResting) return 1;
  return bytesTotal === 0 ? 1 : bytesVerified / bytesTotal;
}
