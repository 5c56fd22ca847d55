/** Simulated drives without damage, and with continuous scrub rounds. */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { DAY_SECONDS } from "@stashlight/contracts/time";
import { level, type Measures, rate, type SeriesLabels } from "./measure.ts";
import { uniform } from "./random.ts";

const ROUND_SECONDS = scrubMarks.roundDays * DAY_SECONDS;
/** Moment from which totals count, as if all drives had first been opened at the beginning of 2026. */
const FIRST_OPENED_SECONDS = Date.UTC(2026) / 1000;
const VERIFIED_BYTES_A_ROUND = 2e12;
const PACE_SECONDS = ROUND_SECONDS * scrubMarks.roundShare;

/** `group` and `place` distinguish the drives of the fleet, whose rounds began at different times. */
export function integrityMeasures(drive: SeriesLabels, group: number, place: number): Measures {
  const offsetSeconds = PACE_SECONDS * uniform(group, place, 41);
  const secondsInRound = (atMs: number): number => (atMs / 1000 + offsetSeconds) % PACE_SECONDS;
  return {
    histograms: [],
    gauges: [
      level("stashlight_drive_corrupt_records", drive, () => 0),
      level("stashlight_drive_unreadable_records", drive, () => 0),
      level("stashlight_drive_damage_correlated", drive, () => 0),
      level("stashlight_scrub_oldest_unverified_seconds", drive, (_, atMs) =>
        Math.round(PACE_SECONDS + secondsInRound(atMs)),
      ),
      level("stashlight_scrub_round_seconds", drive, () => ROUND_SECONDS),
      level(
        "stashlight_scrub_progress_ratio",
        drive,
        (_, atMs) => Math.round((1e4 * secondsInRound(atMs)) / PACE_SECONDS) / 1e4,
      ),
      level("stashlight_scrub_verified_bytes", drive, (_, atMs) =>
        Math.round(
          (VERIFIED_BYTES_A_ROUND * (atMs / 1000 + offsetSeconds - FIRST_OPENED_SECONDS)) / PACE_SECONDS,
        ),
      ),
      level("stashlight_scrub_corrupt_records", drive, () => 0),
    ],
    counters: [
      rate("stashlight_read_errors_total", drive, () => 0),
      rate("stashlight_records_corrupt_total", drive, () => 0),
      rate("stashlight_records_repaired_total", drive, () => 0),
    ],
  };
}
