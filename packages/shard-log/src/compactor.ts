/**
 * Empties a segment: its live records and the purges that other segments still need are appended again, made durable,
 * and only then is the segment left to the recycler. A record that cannot be read is reported as bad and killed, so
 * that no older copy of it can come back in its place.
 */
import { LogError } from "./errors.ts";
import { decodeRecordHeader, RECORD_HEADER_BYTES, viewOf } from "./format.ts";
import { frameSpace, RESERVE_SEGMENTS } from "./options.ts";
import { decodePurges, type Purge } from "./purge-list.ts";
import { type LogRecord, markBad, verifyRecord } from "./reading.ts";
import { owesOthers } from "./recycler.ts";
import type { Entry, Segment } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import type { Volume } from "./volume.ts";
import type { Writer } from "./writer.ts";

/** A segment at most this full is worth moving when space is short; a fuller one only to place purges that wait. */
const URGENT_SHARE_MAX = 0.75;

export type CompactDone = (error: LogError | null, hasEmptied: boolean) => void;
type Next = (error: LogError | null) => void;

interface Round {
  readonly victim: Segment;
  readonly generation: number;
  readonly roomBytes: number;
}

export class Compactor {
  readonly #volume: Volume;
  readonly #writer: Writer;
  readonly #onEmptied: () => void;
  #victim: Segment | null = null;
  /** The last round of relief, until its victim is recycled and the room it won can be told. */
  #round: Round | null = null;
  #futileAtPurges = -1;

  constructor(volume: Volume, writer: Writer, onEmptied: () => void) {
    this.#volume = volume;
    this.#writer = writer;
    this.#onEmptied = onEmptied;
  }

  /**
   * Compacts while appends are short of space and it helps. Frames are whole pages, so moving records need not pack
   * them any tighter; a round that won no room is the last one until something else has been purged.
   */
  relieve(): void {
    const { free, poison, isClosed, counters } = this.#volume;
    if (this.#victim !== null || poison !== null || isClosed || free.length > RESERVE_SEGMENTS) return;
    if (this.#round !== null) {
      const { victim, generation, roomBytes } = this.#round;
      if (victim.generation === generation) return;
      this.#round = null;
      if (this.#writer.roomBytes() <= roomBytes) this.#futileAtPurges = counters.purgesTotal;
    }
    if (counters.purgesTotal === this.#futileAtPurges) return;
    const victim = this.#findVictim(this.#writer.hasWaitingKills ? 1 : URGENT_SHARE_MAX);
    if (victim === null) return;
    const round: Round = { victim, generation: victim.generation, roomBytes: this.#writer.roomBytes() };
    this.#empty(victim, (error) => {
      const isRecyclable = error === null && victim.liveCount === 0 && !owesOthers(this.#volume, victim);
      if (isRecyclable) this.#round = round;
      else this.#futileAtPurges = counters.purgesTotal;
      this.#onEmptied();
    });
  }

  /** Empties the sealed segment with the least to keep, if that is below this share of its space. */
  compact(shareMax: number, done: CompactDone): void {
    const victim = this.#victim === null ? this.#findVictim(shareMax) : null;
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
    this.#writer.placeKills(0);
    this.#move(victim, (error) => {
      victim.isCompacting = false;
      this.#victim = null;
      // What its purge lists kept dead is kept dead by their durable copies.
      if (error === null && victim.purgeLists.length === 0) victim.owes.clear();
      done(error);
    });
  }

  #findVictim(shareMax: number): Segment | null {
    const space = frameSpace(this.#volume.options.segmentBytes);
    let best: Segment | null = null;
    let leastBytes = shareMax * space;
    for (const segment of this.#volume.segments) {
      if (segment.state !== "sealed" || segment.hasLostPurges) continue;
      const isOwing = owesOthers(this.#volume, segment);
      if (segment.liveCount === 0 && !isOwing) continue;
      const bytes = segment.liveBytes + (isOwing ? segment.purgeBytes : 0);
      if (bytes >= leastBytes) continue;
      leastBytes = bytes;
      best = segment;
    }
    return best;
  }

  #move(victim: Segment, done: Next): void {
    let unsyncedBytes = 0;
    const moveEntry = (entry: Entry, next: Next): void => {
      if (this.#volume.index.get(entry.key) !== entry) {
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
    eachInTurn<Entry, LogError>([...victim.entries], moveEntry, (error) => {
      if (error !== null) done(error);
      else
        this.#movePurgeLists(victim, (failed) => (failed === null ? this.#writer.flush(done) : done(failed)));
    });
  }

  #moveEntry(entry: Entry, next: Next): void {
    const volume = this.#volume;
    const bytes = new Uint8Array(entry.bytes);
    volume.read(entry.segment.file, "cache", entry.offset, bytes, (error) => {
      if (volume.poison !== null || volume.isClosed) {
        next(volume.refusalToWrite());
        return;
      }
      const record: LogRecord | null = error === null ? verifyRecord(volume, entry, bytes) : null;
      if (volume.index.get(entry.key) !== entry) next(null);
      else if (record === null) {
        markBad(volume, entry);
        // Whoever was told may have killed it already.
        if (volume.index.get(entry.key) === entry) this.#writer.kill([entry], null);
        next(null);
      } else next(this.#writer.move(entry, bytes, record.meta.length) ? null : noRoom());
    });
  }

  #movePurgeLists(victim: Segment, done: Next): void {
    const isOwing = owesOthers(this.#volume, victim);
    const offsets = isOwing ? [...victim.purgeLists] : [];
    const moved: number[] = [];
    eachInTurn<number, LogError>(
      offsets,
      (offset, next) =>
        readPurgeList(this.#volume, victim, offset, (purges) => {
          const refusal = this.#volume.refusalToWrite();
          if (refusal !== null) next(refusal);
          else if (purges === null) {
            victim.hasLostPurges = true;
            next(null);
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

/** The purges of the list at `offset`, or null when it is not whole and right. */
export function readPurgeList(
  volume: Volume,
  segment: Segment,
  offset: number,
  done: (purges: Purge[] | null) => void,
): void {
  const head = new Uint8Array(RECORD_HEADER_BYTES);
  volume.read(segment.file, "cache", offset, head, (error) => {
    const header = decodeRecordHeader(volume.identity, head, viewOf(head), 0, head.length);
    const isRight =
      error === null &&
      header !== null &&
      header.type === "purgeList" &&
      header.generation === segment.generation &&
      header.offset === offset &&
      offset + header.payloadBytes <= volume.options.segmentBytes;
    if (!isRight) {
      done(null);
      return;
    }
    const payload = new Uint8Array(header.payloadBytes);
    volume.read(segment.file, "cache", offset + RECORD_HEADER_BYTES, payload, (failed) => {
      const isWhole = failed === null && volume.identity.crc32c(payload) === header.payloadCrc;
      done(isWhole ? decodePurges(payload) : null);
    });
  });
}

function noRoom(): LogError {
  return new LogError(
    "log_full",
    "Compaction has no room to move records to; it goes on when some are purged.",
  );
}
