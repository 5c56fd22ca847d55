/** Renders the scrub reports of nodes as lines for a terminal. */
import { z } from "zod";
import { type DamageHealth, damageSchema, type ScrubHealth, scrubSchema } from "../status/health.ts";
import { shareVerified } from "../status/integrity.ts";
import { type Column, renderTable } from "../table.ts";
import { counted, formatCount, formatDuration, formatShare, formatSize } from "../units.ts";

const driveSchema = z.object({
  address: z.string(),
  state: z.object({ type: z.string(), reason: z.string().optional() }),
  damage: damageSchema,
  scrub: scrubSchema,
});

export const scrubPageSchema = z.object({ drives: z.array(driveSchema) });

export interface ScrubbedDrive {
  readonly address: string;
  readonly state: { readonly type: string; readonly reason?: string | undefined };
  readonly damage: DamageHealth;
  readonly scrub: ScrubHealth;
}

/** End of a requested round; `startedAtMs` is that of the round. */
export type ScrubEnd = "in progress" | "done" | "stopped";

export function scrubEnd({ scrub }: Pick<ScrubbedDrive, "scrub">, startedAtMs: number): ScrubEnd {
  if (scrub.last?.startedAtMs === startedAtMs) return "done";
  return scrub.isOnDemand && scrub.startedAtMs === startedAtMs ? "in progress" : "stopped";
}

const COLUMNS: readonly Column[] = [
  { title: "DRIVE" },
  { title: "SCRUB" },
  { title: "DONE", isRight: true },
  { title: "RECORDS", isRight: true },
  { title: "READ", isRight: true },
  { title: "CORRUPT", isRight: true },
  { title: "UNREADABLE", isRight: true },
  { title: "REPAIRED", isRight: true },
  { title: "LEFT", isRight: true },
];

/** A missing value is a gap, never a zero. */
const MISSING = "-";

/** `startedAtMs`: requested rounds by address; a drive without one is shown with its scheduled round. */
export function renderScrub(
  drives: readonly ScrubbedDrive[],
  startedAtMs: ReadonlyMap<string, number>,
): string[] {
  return renderTable(
    COLUMNS,
    drives.map((drive) => cells(drive, startedAtMs.get(drive.address) ?? null)),
  );
}

function cells(drive: ScrubbedDrive, startedAtMs: number | null): string[] {
  const { address, state, scrub } = drive;
  const end = startedAtMs === null ? null : scrubEnd(drive, startedAtMs);
  const isDone = end === "done" && scrub.last !== null;
  const figures = isDone && scrub.last !== null ? scrub.last : scrub;
  const share = isDone ? 1 : scrub.bytesTotal === null ? null : shareVerified([scrub]);
  return [
    address,
    state.type === "running" ? (end ?? "scheduled") : `waits: ${state.type}`,
    share === null ? MISSING : formatShare(share),
    formatCount(figures.recordsVerified),
    formatSize(figures.bytesVerified),
    formatCount(figures.corruptCount),
    formatCount(figures.unreadableCount),
    formatCount(figures.repairedCount),
    isDone || scrub.secondsLeft === null ? MISSING : formatDuration(scrub.secondsLeft),
  ];
}

/** Line that changes during rounds. */
export function describeUnderWay(
  drives: readonly ScrubbedDrive[],
  startedAtMs: ReadonlyMap<string, number>,
): string {
  const asked = drives.filter(({ address }) => startedAtMs.has(address));
  const ends = asked.map((drive) => scrubEnd(drive, startedAtMs.get(drive.address) ?? 0));
  const underWay = asked.filter((_, at) => ends[at] === "in progress");
  const doneCount = ends.filter((end) => end === "done").length;
  const seconds = underWay.map(({ scrub }) => scrub.secondsLeft);
  const known = seconds.filter((each) => each !== null);
  const left =
    known.length < seconds.length || known.length === 0
      ? ""
      : `, about ${formatDuration(Math.max(...known))} left`;
  const share = formatShare(shareVerified(underWay.map(({ scrub }) => scrub)));
  return `${doneCount} of ${counted(asked.length, "drive")} done; the others ${share}${left}.`;
}

/** Summarises the findings of the rounds, and the remaining errors. */
export function describeResult(
  drives: readonly ScrubbedDrive[],
  startedAtMs: ReadonlyMap<string, number>,
): { readonly sentence: string; readonly isWell: boolean } {
  const done = drives.filter((drive) => {
    const started = startedAtMs.get(drive.address);
    return started !== undefined && scrubEnd(drive, started) === "done";
  });
  const sum = (figure: (drive: ScrubbedDrive) => number): number =>
    done.reduce((total, drive) => total + figure(drive), 0);
  const records = sum(({ scrub }) => scrub.last?.recordsVerified ?? 0);
  const corrupt = sum(({ scrub }) => scrub.last?.corruptCount ?? 0);
  const unreadable = sum(({ scrub }) => scrub.last?.unreadableCount ?? 0);
  const waiting = sum(({ damage }) => damage.corruptCount ?? 0);
  const found =
    corrupt === 0
      ? "none is corrupt"
      : `${counted(corrupt, "record")} ${corrupt === 1 ? "was" : "were"} corrupt`;
  const wait =
    waiting === 0
      ? ""
      : `, and ${counted(waiting, "corrupt record")} still wait${waiting === 1 ? "s" : ""} for repair`;
  const missed = unreadable === 0 ? "" : `; ${counted(unreadable, "record")} could not be read`;
  const stoppedCount = startedAtMs.size - done.length;
  const stopped =
    stoppedCount === 0
      ? ""
      : ` ${counted(stoppedCount, "drive")} ${stoppedCount === 1 ? "was" : "were"} stopped before the end.`;
  return {
    sentence: `${counted(records, "record")} of ${counted(done.length, "drive")} verified: ${found}${wait}${missed}.${stopped}`,
    isWell: waiting === 0 && unreadable === 0 && stoppedCount === 0,
  };
}
