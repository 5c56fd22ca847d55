/** Applies the records of a log to the index, in the order of the log, when it is read back. */
import assert from "node:assert/strict";
import type { ChainEnd } from "./committer.ts";
import { recordBytes } from "./format.ts";
import { decodePurges } from "./purge-list.ts";
import type { HeaderView } from "./record-header.ts";
import { KEY_WORDS } from "./record-key.ts";
import type { FoundRecords } from "./recovered-records.ts";
import type { DamageKind } from "./recovery-report.ts";
import { Entry, type Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";

const NO_COPIES: readonly number[] = [];

/** End of the part of a log that is known from the saved state; the log is read from there on. */
export interface RecoveryBase {
  readonly chainEnd: ChainEnd;
  readonly sequence: number;
  /** Records below this number are known. */
  readonly nextLsn: number;
  /** The highest generation with known frames; later ones are read whole. */
  readonly generation: number;
  /** Position of the first frame that is not known; null if it begins a segment. */
  readonly active: { readonly segment: Segment; readonly offset: number } | null;
  /**
   * Known records whose segments were recycled since, by their keys: each was killed, or has a later copy. The generations
   * are of older copies, which only a purge of that later copy keeps dead.
   */
  readonly recycled: ReadonlyMap<string, readonly number[]>;
  /** Number of displaced records above which the whole log is read. */
  readonly displacedMax: number;
}

export type ReportDamage = (kind: DamageKind, segment: Segment, offset: number) => void;

export class RecoveredIndex {
  readonly #volume: Volume;
  readonly #found: FoundRecords;
  readonly #base: RecoveryBase | null;
  readonly #report: ReportDamage;
  readonly #words = new Uint32Array(KEY_WORDS);
  /** Keys of known records that were killed, replaced or moved. */
  readonly displacedKeys: string[];

  constructor(volume: Volume, found: FoundRecords, base: RecoveryBase | null, report: ReportDamage) {
    this.#volume = volume;
    this.#found = found;
    this.#base = base;
    this.#report = report;
    this.displacedKeys = [...(base?.recycled.keys() ?? [])];
  }

  /** `payload` is that of a purge list, and null if it cannot be read; it is not needed for other records. */
  apply(segment: Segment, header: HeaderView, payload: Uint8Array | null, isBad: boolean): void {
    const { type } = header;
    if (type === "purgeList") this.#applyPurges(segment, header, payload);
    else if (type !== "checkpoint") this.#applyRecord(segment, header, isBad || type === "husk");
  }

  #applyRecord(segment: Segment, header: HeaderView, isBad: boolean): void {
    const volume = this.#volume;
    const { lsn, offset } = header;
    const bytes = recordBytes(header.metaBytes, header.payloadBytes);
    const number = this.#found.put(header);
    header.raiseOrder(volume.marks.versionOrder);
    header.writeKey(this.#words);
    const readCount = segment.cells.count - segment.unreadCellCount;
    if (readCount === 0) segment.firstNumber = number;
    assert.equal(number, segment.firstNumber + readCount, "Numbers follow the order of the log.");
    const copiesBefore = this.#copiesBefore(header);
    const mayRest = !isBad && copiesBefore.length === 0;
    if (mayRest && volume.addResting({ words: this.#words, segment, offset, bytes, lsn })) return;
    const { key } = header;
    const previous = volume.index.get(key);
    const olderCopies = previous === undefined ? copiesBefore : volume.copiesOf(previous);
    const entry = new Entry(key, segment, offset, bytes, lsn, olderCopies);
    entry.isReadable = true;
    entry.isBad = isBad;
    entry.isLossConfirmed = header.type === "husk";
    volume.addEntry(entry);
    if (isBad) {
      volume.damaged.add(entry);
      this.#report("payload_lost", segment, offset);
    }
    if (previous !== undefined) {
      this.#displace(previous);
      volume.drop(previous);
      volume.release(previous);
    }
  }

  /** Generations on the medium with copies of a record whose last copy was in a segment that was recycled. */
  #copiesBefore(header: HeaderView): readonly number[] {
    const recycled = this.#base?.recycled;
    if (recycled === undefined || recycled.size === 0) return NO_COPIES;
    const copies = recycled.get(header.key) ?? NO_COPIES;
    return copies.filter((generation) => this.#volume.isOnMedium(generation));
  }

  #applyPurges(segment: Segment, header: HeaderView, payload: Uint8Array | null): void {
    const volume = this.#volume;
    segment.purgeLists.push(header.offset);
    const purges = payload === null ? null : decodePurges(payload);
    if (purges === null) {
      segment.hasLostPurges = true;
      this.#report("purge_list_lost", segment, header.offset);
      return;
    }
    for (const purge of purges) {
      if (volume.isOnMedium(purge.generation)) segment.owe(purge.generation);
      const found = volume.index.look(purge.key);
      if (found === undefined || found.lsn >= purge.belowLsn) continue;
      const entry = volume.index.get(purge.key) as Entry;
      this.#displace(entry);
      volume.index.forget(entry);
      volume.drop(entry);
      volume.release(entry);
    }
  }

  #displace({ key, lsn }: Entry): void {
    if (this.#base === null || lsn >= this.#base.nextLsn) return;
    if (this.displacedKeys.length <= this.#base.displacedMax) this.displacedKeys.push(key);
  }
}
