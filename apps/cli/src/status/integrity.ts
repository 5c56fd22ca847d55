/** Integrity of a vault's drives: corrupt records, and the age of the last verification. */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { counted, formatDuration, formatShare } from "../units.ts";
import type { DamageHealth, ScrubHealth } from "./health.ts";

export interface DriveIntegrity {
  /** Location of the drive, such as "pod 3 on pod-1". */
  readonly drive: string;
  readonly damage: DamageHealth | null;
  readonly scrub: ScrubHealth | null;
}

/** One sentence each, with a remedy. */
export function integrityProblems({ drive, damage, scrub }: DriveIntegrity): string[] {
  const problems: string[] = [];
  const corruptCount = damage?.corruptCount ?? 0;
  if (damage?.isCorrelated) {
    problems.push(
      `${drive}: many records were found corrupt at once (${counted(corruptCount, "record")} now), so each repair waits for minutes; check its controller, cable and memory.`,
    );
  } else if (corruptCount > 0) {
    const verb = corruptCount === 1 ? "fails its checksum and waits" : "fail their checksum and wait";
    problems.push(`${drive}: ${counted(corruptCount, "record")} ${verb} for repair.`);
  }
  if (damage != null && damage.unreadableCount > 0) {
    problems.push(
      `${drive}: ${counted(damage.unreadableCount, "record")} could not be read; check the kernel's log and smartctl -a.`,
    );
  }
  if (scrub !== null && scrub.oldestUnverifiedSeconds > scrubMarks.lateRounds * scrub.roundSeconds) {
    problems.push(
      `${drive}: some data was last verified ${formatDuration(scrub.oldestUnverifiedSeconds)} ago, and a round takes ${formatDuration(scrub.roundSeconds)}; run vault scrub.`,
    );
  }
  return problems;
}

/** Null if none of the vault's drives reports. */
export function describeScrub(drives: readonly DriveIntegrity[], driveCount: number): string | null {
  const known = drives.flatMap(({ drive, scrub }) => (scrub === null ? [] : [{ drive, scrub }]));
  const [oldest] = known.toSorted(
    (a, b) => b.scrub.oldestUnverifiedSeconds - a.scrub.oldestUnverifiedSeconds,
  );
  if (oldest === undefined) return null;
  const whose =
    known.length < driveCount ? `All data of ${known.length} of ${counted(driveCount, "drive")}` : "All data";
  const age = `${whose} was verified, or written, within the last ${formatDuration(oldest.scrub.oldestUnverifiedSeconds)} (${oldest.drive})`;
  const asked = known.filter(({ scrub }) => scrub.isOnDemand);
  if (asked.length === 0) return `${age}.`;
  return `${age}. ${counted(asked.length, "drive")} ${asked.length === 1 ? "is" : "are"} being scrubbed on demand, ${formatShare(shareVerified(asked.map(({ scrub }) => scrub)))} done.`;
}

/** Over all drives together; an empty drive counts as verified. */
export function shareVerified(scrubs: readonly Pick<ScrubHealth, "bytesVerified" | "bytesTotal">[]): number {
  const total = scrubs.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const verified = scrubs.reduce(
    (sum, { bytesVerified, bytesTotal }) => sum + (bytesTotal === null ? 0 : bytesVerified),
    0,
  );
  return total === 0 ? 1 : Math.min(1, verified / total);
}
