/**
 * Empties a segment: its live records and the purges that other segments still need are appended again, made durable,
 * and only then is the segment left to the recycler. A damaged record stays where it is, and its segment with it, because
 * a bad cable may have garbled what was read. Once its owner has confirmed the loss, a husk of it is appended, so that the
 * upload stays known. A read that the device fails ends the round: the segment is left as it was, and tried again later.
 *
 * A round begins only where all that it moves is sure to fit, and leaves more room than there was. So rounds come to an
 * end, and none is left half done for want of room, with the reserve gone and nothing won.
 */
import { LogError } from "./errors.ts";
import { encodeRecord, RECORD_HEADER_BYTES, recordBytes, viewOf } from "./format.ts";
import { frameSpace, RESERVE_SEGMENTS } from "./options.ts";
import { Packing } from "./packing.ts";
import { decodePurges, PURGE_ENTRY_BYTES, type Purge } from "./purge-list.ts";
import { headerInPlace, readAgain, readEntryDirect, readFailed, verifyRecord } from "./reading.ts";
import { decodeRecordHeader, type HeaderView } from "./record-header.ts";
import { owesOthers, purgesOwed } from "./recycler.ts";
import type { Entry, Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import type { Volume } from "./volume.ts";
import type { Writer } from "./writer.ts";

/**
 * A segment at most this full is worth moving when space is short; a fuller one only to place waiting purges. In a
 * ring, purges free whole segments, so moving is seldom worth it; in extents, the records stay below a limit (room.ts).
 */
const URGENT_SHARE_MAX = { ring: 0.75, extents: 0.92 } as const;

const NOTHING = new Uint8Array(0);
/** A drive with more damaged records than this is being repaired or replaced, which makes room sooner. */
const RECHECKED_COUNT_MAX = 64;

export type CompactDone = (error: LogError | null, hasEmptied: boolean) => void;
type Next = (error: LogError | null) => void;

export class Compactor {
  readonly #volume: Volume;
  readonly #writer: Writer;
  readonly #onEmptied: () => void;
  #victim: Segment | null = null;
  /** What was emptied last, as the generation that the recycler is about to end. */
  #emptiedGeneration = 0;
  /** How much had changed when there was nothing to win. */
  #idleAt = -1;
  #isRechecking = false;
  /** What had changed when damaged records were last read again. */
  #recheckedAt = -1;

  constructor(volume: Volume, writer: Writer, onEmptied: () => void) {
    this.#volume = volume;
    this.#writer = writer;
    this.#onEmptied = onEmptied;
  }

  /** Whether a round is under way, or its segment is about to become free. */
  get isAtWork(): boolean {
    return this.#victim !== null || this.#volume.isOnMedium(this.#emptiedGeneration);
  }

  /**
   * Compacts while appends are short of space and it helps. Each round wins a page at least, so they come to an end; and
   * as long as there is one to win, they go on.
   */
  relieve(): void {
    const { free, options, poison, isClosed } = this.#volume;
    if (this.#victim !== null || poison !== null || isClosed || free.length > RESERVE_SEGMENTS) return;
    if (this.#volume.isOnMedium(this.#emptiedGeneration) || this.#idleAt === this.#volume.changeCount) return;
    const hasWaitingKills = this.#writer.waitingKills.count > 0;
    const victim = this.#findVictim(hasWaitingKills ? 1 : URGENT_SHARE_MAX[options.policy], true);
    if (victim === null) {
      this.#idleAt = this.#volume.changeCount;
      this.#recheckDamaged();
      return;
    }
    this.#empty(victim, (error) => {
      const isRecyclable = error === null && victim.liveCount === 0 && !owesOthers(this.#volume, victim);
      if (isRecyclable) this.#emptiedGeneration = victim.generation;
      else this.#idleAt = this.#volume.changeCount;
      this.#onEmptied();
    });
  }

  /**
   * Empties the segment with the least to keep, if that is below this share of its space. The active segment, whose rest
   * would be lost, is considered only on request.
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
      // What its purge lists kept dead is kept dead by their durable copies.
      if (error === null && victim.purgeLists.length === 0) victim.owes.clear();
      if (this.#volume.poison === null && !this.#volume.isClosed) this.#writer.setMoving(false);
      done(error);
    };
    const move = (error: LogError | null): void => {
      if (error === null) {
        this.#writer.setMoving(true);
        this.#move(victim, end);
      } else end(error);
    };
    if (victim === this.#writer.activeSegment) this.#writer.seal(move);
    else move(null);
  }

  /** The segment with the least to keep, of those that keep less than this share of their space. */
  #findVictim(shareMax: number, withActive: boolean): Segment | null {
    const space = frameSpace(this.#volume.options.segmentBytes);
    const candidates: { segment: Segment; bytes: number }[] = [];
    const held = this.#heldSegments();
    for (const segment of this.#volume.segments) {
      const isActive = withActive && segment === this.#writer.activeSegment;
      if (segment.hasLostPurges || segment.isQuarantined || !(segment.state === "sealed" || isActive))
        continue;
      if (held.has(segment) || segment.arePurgesDoubted) continue;
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

  /** When space is short, what holds segments is read again: a bad cable that garbled it may have recovered. */
  #recheckDamaged(): void {
    const volume = this.#volume;
    const doubted = volume.segments.filter(({ arePurgesDoubted }) => arePurgesDoubted);
    if (this.#isRechecking || volume.damaged.size + doubted.length === 0) return;
    if (this.#recheckedAt === volume.changeCount) return;
    this.#isRechecking = true;
    for (const segment of doubted) segment.arePurgesDoubted = false;
    const countBefore = volume.damaged.size;
    const entries = [...volume.damaged].filter(({ isKept }) => isKept).slice(0, RECHECKED_COUNT_MAX);
    const recheck = (entry: Entry, next: Next): void =>
      readAgain(volume, entry, (failed) => next(failed ?? volume.refusalToWrite()));
    eachInTurn<Entry, LogError>(entries, recheck, (error) => {
      this.#isRechecking = false;
      volume.changeCount++;
      this.#recheckedAt = volume.changeCount;
      const isHope = volume.damaged.size < countBefore || doubted.length > 0;
      if (error === null && isHope) this.relieve();
    });
  }

  /** Segments with a record that can be neither moved nor let go of. */
  #heldSegments(): Set<Segment> {
    const held = new Set<Segment>();
    for (const { segment, isHeaderBad, isLossConfirmed, isKept } of this.#volume.damaged) {
      if (isKept && (isHeaderBad || !isLossConfirmed)) held.add(segment);
    }
    return held;
  }

  /** Whether emptying the segment leaves more room than there was, and what it keeps fits into what is left. */
  #isWorthIt(segment: Segment): boolean {
    const { options, free, index } = this.#volume;
    const isActive = segment === this.#writer.activeSegment;
    const restBytes = this.#writer.restBytes();
    const packing = new Packing(isActive ? 0 : this.#writer.movableRestBytes(), options.batchBytesMax);
    for (const cell of segment.cells) {
      const bytes = index.keptBytesOf(cell);
      if (bytes > 0) packing.add(bytes, 0);
    }
    for (let left = purgesOwed(this.#volume, segment); left > 0; left--) packing.add(0, 1);
    const { bytesInRest, bytesInFreshMax } = packing;
    if (bytesInRest === null && free.length === 0) return false;
    const lostRestBytes = isActive || bytesInRest === null ? restBytes : bytesInRest;
    return lostRestBytes + bytesInFreshMax < frameSpace(options.segmentBytes);
  }

  #move(victim: Segment, done: Next): void {
    let unsyncedBytes = 0;
    const moveEntry = (entry: Entry, next: Next): void => {
      if (!entry.isKept) {
        next(null);
        return;
      }
      this.#moveEntry(entry, (error) => {
        unsyncedBytes += entry.bytes;
        if (error !== null || unsyncedBytes < this.#volume.options.batchBytesMax) {
          next(error);
          return;
        }
        unsyncedBytes = 0;
        this.#writer.flush(next);
      });
    };
    eachInTurn<Entry, LogError>(this.#volume.index.entriesOf(victim), moveEntry, (error) => {
      if (error !== null) done(error);
      else
        this.#movePurgeLists(victim, (failed) =>
          failed === null ? this.#writer.flushMoved(done) : done(failed),
        );
    });
  }

  #moveEntry(entry: Entry, next: Next): void {
    const volume = this.#volume;
    const bytes = new Uint8Array(entry.bytes);
    volume.read(entry.segment.file, "cache", entry.offset, bytes, (error) => {
      if (volume.poison !== null || volume.isClosed) next(volume.refusalToWrite());
      else if (error !== null) next(readFailed(error));
      else if (!entry.isKept) next(null);
      else {
        const record = verifyRecord(volume, entry, bytes);
        if (record === null) this.#moveDamaged(entry, next);
        else next(this.#writer.move(entry, bytes, record.meta.length) ? null : noRoom());
      }
    });
  }

  /** Looks again, from the medium: a copy in the page cache may be garbled alone. */
  #moveDamaged(entry: Entry, next: Next): void {
    const volume = this.#volume;
    readAgain(volume, entry, (failed) => {
      if (failed !== null || volume.refusalToWrite() !== null) {
        next(failed ?? volume.refusalToWrite());
        return;
      }
      readEntryDirect(volume, entry, (error, bytes) => {
        if (error !== null || bytes === null || volume.poison !== null || volume.isClosed) {
          next(error ?? volume.refusalToWrite());
          return;
        }
        if (!entry.isKept) {
          next(null);
          return;
        }
        const header = headerInPlace(volume, entry, bytes);
        const isGood = verifyRecord(volume, entry, bytes) !== null;
        if (header === null || (!isGood && !entry.isLossConfirmed)) {
          entry.isHeaderBad = header === null;
          volume.damaged.add(entry);
          next(null);
          return;
        }
        const moved = isGood ? bytes : makeHusk(volume, header);
        next(this.#writer.move(entry, moved, header.metaBytes) ? null : noRoom());
      });
    });
  }

  #movePurgeLists(victim: Segment, done: Next): void {
    const isOwing = owesOthers(this.#volume, victim);
    const offsets = isOwing ? [...victim.purgeLists] : [];
    const moved: number[] = [];
    eachInTurn<number, LogError>(
      offsets,
      (offset, next) =>
        readPurgeList(this.#volume, victim, offset, (failed, purges) => {
          const refusal = failed ?? this.#volume.refusalToWrite();
          if (refusal !== null) next(refusal);
          else if (purges === null) {
            victim.arePurgesDoubted = true;
            next(purgesDoubted());
          } else {
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

  #movePurges(victim: Segment, purges: readonly Purge[]): boolean {
    return purges.every((purge) => {
      const isNeeded = purge.generation !== victim.generation && this.#volume.isOnMedium(purge.generation);
      return !isNeeded || this.#writer.movePurge(purge);
    });
  }
}

/** The purges of the list at `offset`, or null when it is not whole and right. An error says that it cannot be read now. */
function readPurgeList(
  volume: Volume,
  segment: Segment,
  offset: number,
  done: (error: LogError | null, purges: Purge[] | null) => void,
): void {
  const head = new Uint8Array(RECORD_HEADER_BYTES);
  volume.read(segment.file, "cache", offset, head, (error) => {
    if (error !== null) {
      done(readFailed(error), null);
      return;
    }
    const header = decodeRecordHeader(volume.identity, head, viewOf(head), 0, head.length);
    const isRight =
      header !== null &&
      header.type === "purgeList" &&
      header.generation === segment.generation &&
      header.offset === offset &&
      offset + header.payloadBytes <= volume.options.segmentBytes;
    if (!isRight) {
      done(null, null);
      return;
    }
    const payload = new Uint8Array(header.payloadBytes);
    volume.read(segment.file, "cache", offset + RECORD_HEADER_BYTES, payload, (failed) => {
      const isWhole = failed === null && volume.identity.crc32c(payload) === header.payloadCrc;
      done(failed === null ? null : readFailed(failed), isWhole ? decodePurges(payload) : null);
    });
  });
}

/** What names the upload of a record whose payload is lost, or a husk as it is. */
function makeHusk({ identity }: Volume, header: HeaderView): Uint8Array {
  const { uploadId, shardIndex, k, m, versionOrder, placementEpoch, meta } = header;
  const fields = { type: "husk", uploadId, shardIndex, k, m, versionOrder, placementEpoch, meta } as const;
  const bytes = new Uint8Array(recordBytes(meta.length, 0));
  const { generation, offset, lsn, volumeEpoch } = header;
  const place = { generation, offset, lsn, volumeEpoch };
  encodeRecord(identity, bytes, viewOf(bytes), 0, { ...fields, payload: NOTHING }, place);
  return bytes;
}

function purgesDoubted(): LogError {
  return new LogError("record_corrupt", "A purge list fails its checksum; its segment stays as it is.");
}

function noRoom(): LogError {
  return new LogError(
    "log_full",
    "Compaction has no room to move records to; it goes on when some are purged.",
  );
}
