/**
 * Empties a segment: its live records and the purges that other segments still need are appended again and made
 * durable, and only then is the segment left to the recycler. A damaged record stays in place, and its segment with it,
 * because a bad cable may have garbled the read. Once its owner has confirmed the loss, a husk of it is appended, so
 * that the upload stays known. A read that the device fails ends the round: the record is reported, which may lead to a
 * good copy that replaces it, and the segment is set aside for a while, so that others are emptied.
 *
 * A round begins only if everything it moves is sure to fit, and leaves more space than before. So rounds terminate,
 * and none is left half done for lack of space, with the reserve used up and nothing gained.
 */
import { LogError } from "./errors.ts";
import { type MovableDone, readMovable, readPurgeList } from "./movable-records.ts";
import { frameSpace, RESERVE_SEGMENTS } from "./options.ts";
import { Packing } from "./packing.ts";
import { PURGE_ENTRY_BYTES, type Purge } from "./purge-list.ts";
import { readAgain } from "./read-record.ts";
import { owesOthers, purgesOwed } from "./recycler.ts";
import type { Entry, Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import type { Volume } from "./volume.ts";
import type { Writer } from "./writer.ts";

/**
 * A segment at most this full is worth moving when space is short; a fuller one only to place waiting purges. In a
 * ring, purges free whole segments, so moving is seldom worth it; in extents, the records stay below a limit
 * (space-limits.ts).
 */
const URGENT_SHARE_MAX = { ring: 0.75, extents: 0.92 } as const;

/**
 * Time for which an unreadable segment is set aside while others are compacted. It is short, because once the fault
 * has passed, a full log waits for the segment.
 */
export const SET_ASIDE_MS = 5_000;
/** Limit on damaged records reread per round: each is a read of a drive that may be faulty, while appends wait. */
const RECHECKS_PER_ROUND_MAX = 64;
/**
 * When a log is full, its damaged records are reread after this time even without a change: a fault may have passed.
 */
export const RECHECK_AGAIN_MS = 30_000;

export type CompactDone = (error: LogError | null, hasEmptied: boolean) => void;
type Next = (error: LogError | null) => void;

export class Compactor {
  readonly #volume: Volume;
  readonly #writer: Writer;
  readonly #onEmptied: () => void;
  #victim: Segment | null = null;
  /** Generation of the segment that was emptied last, which the recycler is about to end. */
  #emptiedGeneration = 0;
  /**
   * `changeCount` when nothing could be gained, and the time at which a segment that was set aside may be tried again, or
   * damaged records may be reread.
   */
  #idleAt = -1;
  #idleUntilMs = 0;
  #isRechecking = false;
  /** `changeCount` when all damaged records had been read again, and the time at which they may be reread. */
  #recheckedAt = -1;
  #recheckAgainAtMs = 0;
  /** Damaged records that have been read again since then. */
  readonly #rechecked = new Set<Entry>();

  constructor(volume: Volume, writer: Writer, onEmptied: () => void) {
    this.#volume = volume;
    this.#writer = writer;
    this.#onEmptied = onEmptied;
  }

  /** Returns true during a round, or if its segment is about to become free. */
  get isAtWork(): boolean {
    return this.#victim !== null || this.#volume.isOnMedium(this.#emptiedGeneration);
  }

  /** Returns true while a round or a recheck is in progress. */
  get isBusy(): boolean {
    return this.#victim !== null || this.#isRechecking;
  }

  /**
   * Compacts while appends are short of space and it helps. Each round gains at least a page, so they terminate; and
   * they continue while a page can be gained.
   */
  relieve(): void {
    const { free, options, refusesWork } = this.#volume;
    if (this.#victim !== null || refusesWork || free.length > RESERVE_SEGMENTS) return;
    if (this.#volume.isOnMedium(this.#emptiedGeneration) || this.#isIdle()) return;
    const hasWaitingKills = this.#writer.waitingKills.count > 0;
    const victim = this.#findVictim(hasWaitingKills ? 1 : URGENT_SHARE_MAX[options.policy], true);
    if (victim === null) {
      this.#becomeIdle();
      this.#recheckDamaged();
      return;
    }
    this.#empty(victim, (error) => {
      const isRecyclable = error === null && victim.liveCount === 0 && !owesOthers(this.#volume, victim);
      const isHeld = this.#isSetAside(victim) || this.#heldSegments().has(victim);
      if (isRecyclable) this.#emptiedGeneration = victim.generation;
      else if (!isHeld) this.#becomeIdle();
      this.#onEmptied();
      if (isHeld) this.relieve();
    });
  }

  #isIdle(): boolean {
    const { options, changeCount } = this.#volume;
    return this.#idleAt === changeCount && options.nowMs() < this.#idleUntilMs;
  }

  #becomeIdle(): void {
    const { changeCount, damaged, options, segments } = this.#volume;
    this.#idleAt = changeCount;
    const setAside = segments.filter((segment) => this.#isSetAside(segment));
    const recheckAtMs = damaged.size === 0 ? Number.POSITIVE_INFINITY : options.nowMs() + RECHECK_AGAIN_MS;
    this.#idleUntilMs = Math.min(recheckAtMs, ...setAside.map(({ setAsideUntilMs }) => setAsideUntilMs));
  }

  #isSetAside({ setAsideUntilMs }: Segment): boolean {
    return this.#volume.options.nowMs() < setAsideUntilMs;
  }

  #setAside(segment: Segment): void {
    segment.setAsideUntilMs = this.#volume.options.nowMs() + SET_ASIDE_MS;
  }

  /**
   * Empties the segment with the least live data, if that is below this share of its space. The active segment, whose
   * free rest would be lost, is considered only on request.
   */
  compact(shareMax: number, withActive: boolean, done: CompactDone): void {
    const victim = this.#victim === null ? this.#findVictim(shareMax, withActive) : null;
    if (victim === null) {
      done(null, false);
      return;
    }
    this.#empty(victim, (error) => {
      this.#onEmptied();
      done(error, error === null);
    });
  }

  #empty(victim: Segment, done: Next): void {
    this.#victim = victim;
    victim.isCompacting = true;
    const end = (error: LogError | null): void => {
      victim.isCompacting = false;
      this.#victim = null;
      // Records that its purge lists kept dead now stay dead because of their durable copies.
      if (error === null && victim.purgeLists.length === 0) victim.owes.clear();
      if (this.#volume.poison === null && !this.#volume.isClosed) this.#writer.setMoving(false);
      done(error);
    };
    const move = (error: LogError | null): void => {
      if (error === null) {
        this.#writer.setMoving(true);
        this.#checkBeforeMoving(victim, (failed) =>
          failed === null ? this.#move(victim, end) : end(failed),
        );
      } else end(error);
    };
    if (victim === this.#writer.activeSegment) this.#writer.seal(move);
    else move(null);
  }

  /** The segment with the least live data, among those below this share of their space. */
  #findVictim(shareMax: number, withActive: boolean): Segment | null {
    const space = frameSpace(this.#volume.options.segmentBytes);
    const candidates: { segment: Segment; bytes: number }[] = [];
    const held = this.#heldSegments();
    for (const segment of this.#volume.segments) {
      const isActive = withActive && segment === this.#writer.activeSegment;
      if (segment.hasLostPurges || segment.isQuarantined || !(segment.state === "sealed" || isActive))
        continue;
      if (held.has(segment) || this.#isSetAside(segment)) continue;
      const purges = purgesOwed(this.#volume, segment);
      if (segment.liveCount === 0 && purges === 0 && !isActive) continue;
      const lostBytes = isActive ? this.#writer.restBytes() : 0;
      const bytes = segment.keptBytes + purges * PURGE_ENTRY_BYTES + lostBytes;
      if (bytes < shareMax * space) candidates.push({ segment, bytes });
    }
    candidates.sort((a, b) => a.bytes - b.bytes);
    const found = candidates.find(({ segment }) => this.#isWorthIt(segment));
    return found?.segment ?? null;
  }

  /**
   * When space is short, rereads the records that hold segments: a bad cable that garbled them may have recovered.
   * Rounds take the records in turn, and an unreadable one does not delay the others.
   */
  #recheckDamaged(): void {
    const volume = this.#volume;
    const { nowMs } = volume.options;
    const isRechecked = this.#recheckedAt === volume.changeCount && nowMs() < this.#recheckAgainAtMs;
    if (this.#isRechecking || isRechecked) return;
    const due = this.#damagedRecords().filter((entry) => !this.#rechecked.has(entry));
    const entries = due.slice(0, RECHECKS_PER_ROUND_MAX);
    this.#isRechecking = true;
    const recheck = (entry: Entry, next: Next): void =>
      readAgain(volume, entry, () => {
        this.#rechecked.add(entry);
        next(volume.refusalToWrite());
      });
    eachInTurn<Entry, LogError>(entries, recheck, (error) => {
      this.#isRechecking = false;
      if (entries.length > 0) volume.changeCount++;
      if (entries.length === due.length) {
        this.#recheckedAt = volume.changeCount;
        this.#recheckAgainAtMs = nowMs() + RECHECK_AGAIN_MS;
        this.#rechecked.clear();
      }
      const mayHelp = entries.some(({ isBad }) => !isBad);
      if (error === null && mayHelp) this.relieve();
    });
  }

  /** Corrupt records that have to be kept, or whose kill waits for space. */
  #damagedRecords(): Entry[] {
    const dying = this.#writer.waitingKills.entries().filter(({ isBad }) => isBad);
    return [...this.#volume.damaged, ...dying];
  }

  /** Segments with a record that can be neither moved nor dropped. */
  #heldSegments(): Set<Segment> {
    const held = new Set<Segment>();
    for (const { segment, isHeaderBad, isLossConfirmed } of this.#damagedRecords()) {
      if (isHeaderBad || !isLossConfirmed) held.add(segment);
    }
    return held;
  }

  /** Returns true if emptying the segment gains space, and its live data fits into the remaining space. */
  #isWorthIt(segment: Segment): boolean {
    const { options, free, index } = this.#volume;
    const isActive = segment === this.#writer.activeSegment;
    const restBytes = this.#writer.restBytes();
    const packing = new Packing(isActive ? 0 : this.#writer.movableRestBytes(), options.batchBytesMax);
    for (let cell = 0; cell < segment.cells.count; cell++) {
      const bytes = index.keptBytesAt(segment, cell);
      if (bytes > 0) packing.add(bytes, 0);
    }
    for (let left = purgesOwed(this.#volume, segment); left > 0; left--) packing.add(0, 1);
    const { bytesInRest, bytesInFreshMax } = packing;
    if (bytesInRest === null && free.length === 0) return false;
    const lostRestBytes = isActive || bytesInRest === null ? restBytes : bytesInRest;
    return lostRestBytes + bytesInFreshMax < frameSpace(options.segmentBytes);
  }

  /**
   * When space is short, reads everything that has to be moved before any of it is. Otherwise a record that has to stay
   * would keep the segment, while the records already moved have used up the reserve.
   */
  #checkBeforeMoving(victim: Segment, done: Next): void {
    const volume = this.#volume;
    if (volume.free.length > RESERVE_SEGMENTS) {
      done(null);
      return;
    }
    const checkEntry = (entry: Entry, next: Next): void => {
      entry.useCount++;
      this.#readMovable(entry, (error, movable) => {
        entry.useCount--;
        volume.rest(entry);
        next(error === null && movable === null && entry.isKept ? recordDamaged() : error);
      });
    };
    const checkPurges = (offset: number, next: Next): void =>
      this.#readPurgeList(victim, offset, (error) => next(error));
    eachInTurn<number, LogError>(this.#purgeListsToMove(victim), checkPurges, (error) => {
      if (error !== null) done(error);
      else eachInTurn<Entry, LogError>(volume.index.keptEntries(victim), checkEntry, done);
    });
  }

  #move(victim: Segment, done: Next): void {
    let unsyncedBytes = 0;
    const moveEntry = (entry: Entry, next: Next): void => {
      entry.useCount++;
      this.#moveEntry(entry, (error) => {
        entry.useCount--;
        this.#volume.rest(entry);
        unsyncedBytes += entry.bytes;
        if (error !== null || unsyncedBytes < this.#volume.options.batchBytesMax) {
          next(error);
          return;
        }
        unsyncedBytes = 0;
        this.#writer.flush(next);
      });
    };
    eachInTurn<Entry, LogError>(this.#volume.index.keptEntries(victim), moveEntry, (error) => {
      if (error !== null) done(error);
      else
        this.#movePurgeLists(victim, (failed) =>
          failed === null ? this.#writer.flushMoved(done) : done(failed),
        );
    });
  }

  #moveEntry(entry: Entry, next: Next): void {
    this.#readMovable(entry, (error, movable) => {
      const refusal = this.#volume.isEnding ? this.#volume.refusalToWrite() : error;
      if (refusal !== null || movable === null) next(refusal);
      else next(this.#writer.move(entry, movable.bytes, movable.metaBytes) ? null : noRoom());
    });
  }

  /** Reports a record that the device failed to read, and leaves its segment alone for a while. */
  #readMovable(entry: Entry, done: MovableDone): void {
    readMovable(this.#volume, entry, (error, movable) => {
      if (error?.code === "io_failed") {
        this.#setAside(entry.segment);
        this.#volume.onUnreadable(entry);
      }
      done(error, movable);
    });
  }

  #purgeListsToMove(victim: Segment): readonly number[] {
    return owesOthers(this.#volume, victim) ? [...victim.purgeLists] : [];
  }

  #movePurgeLists(victim: Segment, done: Next): void {
    const offsets = this.#purgeListsToMove(victim);
    const isOwing = offsets.length > 0;
    const moved: number[] = [];
    eachInTurn<number, LogError>(
      offsets,
      (offset, next) =>
        this.#readPurgeList(victim, offset, (error, purges) => {
          if (error !== null || purges === null) next(error);
          else {
            moved.push(offset);
            next(this.#movePurges(victim, purges) ? null : noRoom());
          }
        }),
      (error) => {
        if (error === null) {
          victim.purgeLists = victim.purgeLists.filter((offset) => isOwing && !moved.includes(offset));
        }
        done(error);
      },
    );
  }

  /**
   * Reads a list whole, or sets its segment aside: a list that is unreadable now, or fails its checksum, may be read
   * correctly later.
   */
  #readPurgeList(
    victim: Segment,
    offset: number,
    done: (error: LogError | null, purges: Purge[] | null) => void,
  ): void {
    readPurgeList(this.#volume, victim, offset, (failed, purges) => {
      const refusal = this.#volume.refusalToWrite();
      if (refusal === null && purges === null) this.#setAside(victim);
      done(refusal ?? failed ?? (purges === null ? purgesDamaged() : null), purges);
    });
  }

  #movePurges(victim: Segment, purges: readonly Purge[]): boolean {
    return purges.every((purge) => {
      const isNeeded = purge.generation !== victim.generation && this.#volume.isOnMedium(purge.generation);
      return !isNeeded || this.#writer.movePurge(purge);
    });
  }
}

function purgesDamaged(): LogError {
  return new LogError("record_corrupt", "A purge list fails its checksum; its segment stays as it is.");
}

function recordDamaged(): LogError {
  return new LogError(
    "record_corrupt",
    "A record fails its checksum; its segment stays until the record is replaced.",
  );
}

function noRoom(): LogError {
  return new LogError(
    "log_full",
    "Compaction has no space to move records into; it continues when some are purged.",
  );
}
