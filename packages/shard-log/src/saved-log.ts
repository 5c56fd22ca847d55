/**
 * State of a log in which nothing is in progress, without the pages of its index: an opening that finds the log as it
 * was left continues from it instead of reading all records (open.ts). The segments remain the truth.
 */
import { PageError } from "@stashlight/paged-memory";
import type { Marks } from "./header-page.ts";
import { hasNoFrameAt, type LogEnd, readLogEnd } from "./log-end.ts";
import type { LogOptions } from "./options.ts";
import type { SavedIndex } from "./record-index.ts";
import type { Recovered } from "./recovery-report.ts";
import type { SavedSegment, Segment } from "./segment.ts";
import type { SlotHeader } from "./slot-header.ts";
import type { Volume } from "./volume.ts";
import type { Writer } from "./writer.ts";

export interface SavedLog extends Pick<LogOptions, "clusterId" | "deviceId" | "policy" | "segmentBytes"> {
  readonly marks: Marks;
  /** The last sequence that was assigned. */
  readonly lastSequence: number;
  /** The last frame; null if its segment has been recycled, or there never was one. */
  readonly end: LogEnd | null;
  readonly chainEnd: Recovered["chainEnd"];
  /** Position of the next frame; null if it begins a segment. */
  readonly active: { readonly slot: number; readonly offset: number } | null;
  readonly segments: readonly SavedSegment[];
  readonly liveBytes: number;
  readonly index: SavedIndex;
}

export interface LogResumption {
  readonly saved: SavedLog;
  /**
   * Called once, before anything is written, with the reason why the log has to be read, or null. The owner makes what
   * it saved unusable, durably, and without a reason has `memory` adopt the pages; then it calls `next`, which reads the
   * log if that failed.
   */
  decide(refusal: string | null, next: (mayResume: boolean) => void): void;
}

/** Records that are awake when a log is saved are objects in what is saved. */
const AWAKE_MAX = 131_072;

/** Passes the state of a log in which nothing is in progress, or why it has to be read again. */
export function saveLog(volume: Volume, writer: Writer, done: (saved: SavedLog | string) => void): void {
  const refusal = describeUnsaveable(volume, writer);
  if (refusal !== null) {
    done(refusal);
    return;
  }
  const { chainEnd } = writer;
  readLogEnd(volume, chainEnd, (end) => {
    const isRight = end === null ? !volume.isOnMedium(chainEnd.generation) : end.crc === chainEnd.crc;
    done(isRight ? stateOrRefusal(volume, writer, end) : "the last frame of its log cannot be read");
  });
}

function describeUnsaveable({ segments, index }: Volume, { waitingKills }: Writer): string | null {
  const isDamaged = segments.some(
    ({ state, isQuarantined, hasLostPurges }) => state === "lost" || isQuarantined || hasLostPurges,
  );
  if (isDamaged) return "segments of its log are damaged";
  if (waitingKills.count > 0) return "purges wait for space in its log";
  return index.awakeCount > AWAKE_MAX ? "too many of its records are about to change" : null;
}

/** An error here must not end the process, which may be stopping other drives. */
function stateOrRefusal(volume: Volume, writer: Writer, end: LogEnd | null): SavedLog | string {
  try {
    return stateOf(volume, writer, end);
  } catch (error) {
    if (error instanceof PageError) throw error;
    return `its log cannot be saved: ${(error as Error).message}`;
  }
}

function stateOf(volume: Volume, writer: Writer, end: LogEnd | null): SavedLog {
  const { clusterId, deviceId, policy, segmentBytes } = volume.options;
  const { activeSegment, chainEnd, durableSequence } = writer;
  const { marks, segments, liveBytes, index } = volume;
  return {
    ...{ clusterId, deviceId, policy, segmentBytes, end, chainEnd, liveBytes },
    marks: { ...marks, versionOrder: marks.versionOrder.slice() },
    lastSequence: durableSequence,
    active: activeSegment === null ? null : { slot: activeSegment.slot, offset: writer.cursor },
    segments: segments.map((segment) => segment.save()),
    index: index.save(),
  };
}

/** Passes why the log is not as it was saved, or null if it is. `volume` has read its segments' headers, and no more. */
export function compareWithSaved(
  volume: Volume,
  headers: readonly SlotHeader[],
  saved: SavedLog,
  done: (difference: string | null) => void,
): void {
  const difference = compareVolume(volume, saved) ?? compareHeaders(volume, headers, saved);
  if (difference !== null) {
    done(difference);
    return;
  }
  const { end, chainEnd, active, marks } = saved;
  readLogEnd(volume, end ?? chainEnd, (found) => {
    if (found?.crc !== end?.crc || found?.sequence !== end?.sequence || found?.headersCrc !== end?.headersCrc)
      done("the log does not end with the frame after which it was saved");
    else if (active === null) done(null);
    else {
      const { generation } = volume.segments[active.slot] as Segment;
      hasNoFrameAt(volume, { generation, offset: active.offset }, marks.volumeEpoch, (hasNone) =>
        done(hasNone ? null : "the log continues after the frame with which it was saved"),
      );
    }
  });
}

function compareVolume({ options, marks }: Volume, saved: SavedLog): string | null {
  const isOfVolume =
    Buffer.compare(options.clusterId, saved.clusterId) === 0 &&
    Buffer.compare(options.deviceId, saved.deviceId) === 0;
  if (!isOfVolume) return "it is of another drive";
  const isAlike =
    options.policy === saved.policy &&
    options.segmentBytes === saved.segmentBytes &&
    options.segmentCount === saved.segments.length;
  if (!isAlike) return "the size of the volume has changed";
  return marks.volumeEpoch === saved.marks.volumeEpoch
    ? null
    : "the log was opened after it was saved, or is older";
}

function compareHeaders(
  { unreadable }: Volume,
  headers: readonly SlotHeader[],
  { segments }: SavedLog,
): string | null {
  if (unreadable.count > 0) return "pages of the log cannot be read";
  const isSame = ({ page, damaged, stale }: SlotHeader, slot: number): boolean =>
    page !== null && !damaged && stale.length === 0 && page.generation === segments[slot]?.generation;
  return headers.length === segments.length && headers.every(isSame)
    ? null
    : "headers of segments have changed";
}

/** Continues from what was saved; the pages of the index are used only afterwards. */
export function restoreLog(volume: Volume, saved: SavedLog): Recovered {
  const { active, chainEnd, marks, segments, lastSequence } = saved;
  for (const segment of volume.segments) segment.restore(segments[segment.slot] as SavedSegment);
  volume.index.restore(saved.index);
  for (const entry of volume.index.awakeEntries()) if (entry.isBad) volume.damaged.add(entry);
  volume.liveBytes = saved.liveBytes;
  Object.assign(volume.marks, { ...marks, versionOrder: volume.marks.versionOrder });
  volume.marks.versionOrder.set(marks.versionOrder);
  volume.marks.sequence = lastSequence;
  const unused = volume.segments.filter(({ state }) => state === "free");
  return {
    damage: [],
    framesAccepted: 0,
    framesDiscarded: 0,
    chainEnd,
    resume:
      active === null ? null : { segment: volume.segments[active.slot] as Segment, offset: active.offset },
    unused: unused.sort((a, b) => a.generation - b.generation),
  };
}
