/**
 * Verifies durable live records from the medium, a budget of bytes at a time, oldest generation first. A bad record is
 * reported and not served; it stays in the log until it is appended again or killed. One that the device cannot read
 * now is only reported.
 */
import type { LogError } from "./errors.ts";
import { readAgain, readEntryDirect, verifyRecord } from "./read-record.ts";
import { idOfKey, type RecordId } from "./record-key.ts";
import type { Entry, Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";

export interface ScrubResult {
  readonly recordsVerified: number;
  readonly bytesRead: number;
  readonly bad: readonly RecordId[];
  /** Records that the device failed to read. */
  readonly unreadable: readonly RecordId[];
  /** True when this step reached the end of the volume; the next one begins again. */
  readonly isRoundDone: boolean;
}

/** Start of the next step. It is valid across restarts, since generations are never reused. */
export interface ScrubPosition {
  readonly generation: number;
  /** Number of records of this generation that have been passed. */
  readonly position: number;
}

export type ScrubDone = (error: LogError | null, result: ScrubResult | null) => void;

export class Scrubber {
  readonly #volume: Volume;
  /** Generation from which segments, and position from which its records, still have to be verified. */
  #generation = 0;
  #position = 0;

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  get position(): ScrubPosition {
    return { generation: this.#generation, position: this.#position };
  }

  resume({ generation, position }: ScrubPosition): void {
    this.#generation = generation;
    this.#position = position;
  }

  step(budgetBytes: number, done: ScrubDone): void {
    const bad: RecordId[] = [];
    const unreadable: RecordId[] = [];
    let recordsVerified = 0;
    let bytesRead = 0;
    const end = (isRoundDone: boolean): void =>
      done(null, { recordsVerified, bytesRead, bad, unreadable, isRoundDone });
    const next = (): void => {
      if (bytesRead >= budgetBytes || this.#volume.isClosed || this.#volume.isEnding) {
        end(false);
        return;
      }
      const entry = this.#nextEntry();
      if (entry === null) {
        this.#generation = 0;
        this.#position = 0;
        end(true);
        return;
      }
      readEntryDirect(this.#volume, entry, (error, bytes) => {
        bytesRead += entry.bytes;
        if (error !== null || bytes === null) {
          unreadable.push(idOfKey(entry.key));
          next();
          return;
        }
        const { index } = this.#volume;
        const isDoubtful = verifyRecord(this.#volume, entry, bytes) === null;
        if (!isDoubtful || index.look(entry.key)?.lsn !== entry.lsn) {
          recordsVerified++;
          next();
          return;
        }
        const meant = index.get(entry.key) as Entry;
        readAgain(this.#volume, meant, (failed, record) => {
          if (failed !== null) unreadable.push(idOfKey(meant.key));
          else if (record !== null) recordsVerified++;
          else bad.push(idOfKey(meant.key));
          next();
        });
      });
    };
    next();
  }

  /** Returns the next record to verify. A resting record is only copied from the index, unless it is bad. */
  #nextEntry(): Entry | null {
    const volume = this.#volume;
    const { index } = volume;
    for (;;) {
      const segment = this.#segment();
      if (segment === null) return null;
      if (segment.generation > this.#generation) {
        this.#generation = segment.generation;
        this.#position = 0;
      }
      while (this.#position < segment.cells.count) {
        const entry = index.lookAt(segment, this.#position++);
        if (entry !== null && entry.lsn < volume.durableLsn && !entry.isBad) return entry;
      }
      this.#generation = segment.generation + 1;
      this.#position = 0;
    }
  }

  /** Returns the segment with records of the lowest generation that is not yet verified. */
  #segment(): Segment | null {
    let found: Segment | null = null;
    for (const segment of this.#volume.segments) {
      if (segment.cells.count === 0 || segment.generation < this.#generation) continue;
      if (found === null || segment.generation < found.generation) found = segment;
    }
    return found;
  }
}
