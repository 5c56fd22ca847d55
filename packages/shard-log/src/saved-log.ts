/**
 * State of a log in which nothing is in progress, without the pages of its index: an opening continues from it and reads
 * what was written afterwards, instead of all records (open.ts). The segments remain the truth.
 */
import assert from "node:assert/strict";
import { PageError } from "@stashlight/paged-memory";
import { type Marks, raiseMarks } from "./header-page.ts";
import { hasNoFrameAt, type LogEnd, readLogEnd } from "./log-end.ts";
import type { LogOptions } from "./options.ts";
import type { SavedIndex } from "./record-index.ts";
import type { RecoveryBase } from "./recovered-index.ts";
import type { Candidate, Recovered } from "./recovery-report.ts";
import type { SavedSegment, Segment } from "./segment.ts";
import type { SlotHeader } from "./slot-header.ts";
import type { Volume } from "./volume.ts";
import type { Writer } from "./writer.ts";

export interface SavedLog extends Pick<LogOptions, "clusterId" | "deviceId" | "policy" | "segmentBytes"> {
  readonly marks: Marks;
  /** True if nothing was written after this state. */
  readonly isEnd: boolean;
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

/**
 * Limit on saved records that were killed, replaced or moved since, each of which a start takes out of the index. With more,
 * the whole log is read instead.
 */
const DISPLACED_MAX = 262_144;

export interface LogResumption {
  readonly saved: SavedLog;
  /** Limit on displaced records; DISPLACED_MAX if omitted. */
  readonly displacedMax?: number;
  /**
   * Called once, before anything is written, with the reason why the log has to be read, or null. The owner durably
   * invalidates its saved state, and if the reason is null has `memory` adopt the pages; then it calls `next`, which
   * reads the log if that failed.
   */
  decide(refusal: string | null, next: (mayResume: boolean) => void): void;
}

/** Records that are awake when a log is saved are objects in the saved state. */
const AWAKE_MAX = 131_072;

/**
 * Passes the state of a log in which nothing is in progress, or why it has to be read again. The state refers to parts of
 * the log, which change if the log continues.
 */
export function saveLog(volume: Volume, writer: Writer, done: (saved: SavedLog | string) => void): void {
  const refusal = describeUnsaveable(volume, writer);
  if (refusal !== null) {
    done(refusal);
    return;
  }
  const { chainEnd } = writer;
  readLogEnd(volume, chainEnd, (end) => {
    const isRight = end === null ? !volume.isOnMedium(chainEnd.generation) : end.crc === chainEnd.crc;
    // A log that continues to run may have been written meanwhile.
    const isSame = writer.isIdle && writer.chainEnd === chainEnd;
    const refusal = isSame ? describeUnsaveable(volume, writer) : "its log does not come to rest";
    if (refusal !== null) done(refusal);
    else done(isRight ? stateOrRefusal(volume, writer, end) : "the last frame of its log cannot be read");
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
    isEnd: volume.isEnding,
    marks: { ...marks, versionOrder: marks.versionOrder.slice() },
    lastSequence: durableSequence,
    active: activeSegment === null ? null : { slot: activeSegment.slot, offset: writer.cursor },
    segments: segments.map((segment) => segment.save()),
    index: index.save(),
  };
}

/**
 * Passes the reason why the log does not continue the saved state, or null if it does. `volume` has read its segments'
 * headers, and no more.
 */
export function compareWithSaved(
  volume: Volume,
  headers: readonly SlotHeader[],
  resume: LogResumption,
  done: (difference: string | null) => void,
): void {
  const { saved } = resume;
  const difference = compareVolume(volume, saved) ?? compareHeaders(volume, headers, resume);
  if (difference !== null) {
    done(difference);
    return;
  }
  const { end, chainEnd, active, marks } = saved;
  // The segment of the last frame was recycled, so the log went on.
  if (!saved.isEnd && end !== null && !volume.isOnMedium(end.generation)) {
    done(null);
    return;
  }
  readLogEnd(volume, end ?? chainEnd, (found) => {
    if (found?.crc !== end?.crc || found?.sequence !== end?.sequence || found?.headersCrc !== end?.headersCrc)
      done("the log does not have the frame after which it was saved");
    else if (active === null || !saved.isEnd) done(null);
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
  { saved: { segments, isEnd }, displacedMax = DISPLACED_MAX }: LogResumption,
): string | null {
  if (unreadable.count > 0) return "pages of the log cannot be read";
  const highest = Math.max(...segments.map(({ generation }) => generation));
  const isSame = ({ page, damaged, stale }: SlotHeader, slot: number): boolean => {
    if (page === null || damaged) return false;
    if (page.generation === segments[slot]?.generation) return stale.length === 0;
    // Recycled since, perhaps by a process that was killed between the two copies.
    return !isEnd && page.generation > highest;
  };
  const areSame = headers.length === segments.length && headers.every(isSame);
  return areSame ? compareAge(headers, segments, displacedMax) : "headers of segments have changed";
}

/** Returns a reason if more than a few segments were recycled since. */
function compareAge(
  headers: readonly SlotHeader[],
  segments: readonly SavedSegment[],
  displacedMax: number,
): string | null {
  let count = 0;
  for (const [slot, { page }] of headers.entries()) {
    const saved = segments[slot];
    if (saved !== undefined && page?.generation !== saved.generation) count += saved.liveCount;
  }
  return count > displacedMax ? "the log has changed too much since it was saved" : null;
}

/** Takes over the saved state; the pages of the index are used only afterwards. */
function restore(volume: Volume, { segments, index, liveBytes, marks }: SavedLog): void {
  for (const segment of volume.segments) segment.restore(segments[segment.slot] as SavedSegment);
  volume.index.restore(index);
  for (const entry of volume.index.awakeEntries()) if (entry.isBad) volume.damaged.add(entry);
  volume.liveBytes = liveBytes;
  raiseMarks(volume.marks, marks);
}

function activePosition(volume: Volume, { active }: SavedLog): Recovered["resume"] {
  return active && { segment: volume.segments[active.slot] as Segment, offset: active.offset };
}

/** Continues from the end of a log as it was saved. */
export function restoreEnded(volume: Volume, saved: SavedLog): Recovered {
  restore(volume, saved);
  volume.marks.sequence = saved.lastSequence;
  const unused = volume.segments.filter(({ state }) => state === "free");
  return {
    damage: [],
    framesAccepted: 0,
    framesDiscarded: 0,
    chainEnd: saved.chainEnd,
    resume: activePosition(volume, saved),
    unused: unused.sort((a, b) => a.generation - b.generation),
    displacedKeys: [],
  };
}

/** Continues from the saved state of a log that was written afterwards; recovery reads the rest. */
export function restoreBase(
  volume: Volume,
  candidates: readonly Candidate[],
  { saved, displacedMax = DISPLACED_MAX }: LogResumption,
): RecoveryBase {
  restore(volume, saved);
  const recycled = new Map<string, readonly number[]>();
  for (const candidate of candidates) takeRecycled(volume, candidate, recycled);
  const { chainEnd, lastSequence: sequence, marks, segments } = saved;
  const used = segments.filter(({ state }) => state !== "free");
  const active = activePosition(volume, saved);
  const isActiveGone = active?.segment.state === "free";
  return {
    chainEnd,
    sequence,
    nextLsn: marks.nextLsn,
    generation: Math.max(0, ...used.map(({ generation }) => generation)),
    active: isActiveGone ? null : active,
    recycled,
    displacedMax,
  };
}

/** Ends the generation of a segment that was recycled since, and notes its records. */
function takeRecycled(
  volume: Volume,
  { segment, generation }: Candidate,
  recycled: Map<string, readonly number[]>,
): void {
  if (segment.generation === generation) return;
  for (const entry of volume.index.keptEntries(segment)) {
    recycled.set(entry.key, entry.olderCopies);
    volume.index.forget(entry);
    volume.drop(entry);
    volume.release(entry);
  }
  assert(segment.liveCount === 0 && segment.liveBytes === 0, "A saved log waits for no kill.");
  segment.reset(generation);
}
