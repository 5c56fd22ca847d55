/**
 * All entries of a pod, by upload id and by object. Entries that wait for something are objects here. Entries at
 * rest move to `settled` if there is one, and stay objects otherwise:
 *
 *     open --nothing left to wait for, at the end of some step--> settled --about to change--> open
 *     complete when the log was read ----------------------------------^
 *
 * Lookups return views, which must not be changed: an entry is changed only after `wake`.
 */
import type { UploadHeader, UploadId } from "../shard.ts";
import { addArrival, type ByArrival, openArrivals, openEntryAt, removeArrival } from "./by-arrival.ts";
import type { EntryView, PodEntry } from "./entry.ts";
import { type KeyCursor, MergedKeys, OpenKeys } from "./key-cursor.ts";
import { addVersion, keysFrom, type Objects, removeVersion, versionsOf } from "./objects.ts";
import type { ObjectName, SettledEntries } from "./settled-entries.ts";

/** Has no private fields, so that the exhaustive search can copy and compare it. */
export class EntryIndex<Position> {
  readonly open = new Map<UploadId, PodEntry<Position>>();
  readonly objects: Objects<PodEntry<Position>> = new Map();
  /** The open entries by arrival. */
  readonly byArrival: ByArrival<PodEntry<Position>> = new Map();
  /** Null if entries that could be settled stay open. */
  readonly settled: SettledEntries<Position> | null;
  /** Open entries that have changed, and may now be settled. */
  readonly touched: PodEntry<Position>[] = [];

  constructor(settled: SettledEntries<Position> | null) {
    this.settled = settled;
  }

  get size(): number {
    return this.open.size + (this.settled?.count ?? 0);
  }

  has(uploadId: UploadId): boolean {
    return this.open.has(uploadId) || this.settled?.has(uploadId) === true;
  }

  get(uploadId: UploadId): EntryView<Position> | undefined {
    return this.open.get(uploadId) ?? this.settled?.get(uploadId);
  }

  /** Returns the entry so that it can be changed. */
  wake(uploadId: UploadId): PodEntry<Position> | undefined {
    const open = this.open.get(uploadId) ?? this.takeOut(uploadId);
    if (open !== undefined) this.touch(open);
    return open;
  }

  private takeOut(uploadId: UploadId): PodEntry<Position> | undefined {
    const view = this.settled?.get(uploadId);
    if (view === undefined) return undefined;
    this.settled?.remove(uploadId);
    const entry = { ...view } as PodEntry<Position>;
    this.add(entry);
    return entry;
  }

  add(entry: PodEntry<Position>): void {
    this.open.set(entry.upload.uploadId, entry);
    addVersion(this.objects, entry);
    addArrival(this.byArrival, entry);
  }

  /** Adds a settled entry; returns false if its object has no other settled version. */
  addSettled(entry: EntryView<Position>): boolean {
    return (this.settled as SettledEntries<Position>).put(entry);
  }

  remove({ upload }: EntryView<Position>): void {
    const entry = this.open.get(upload.uploadId);
    if (entry === undefined) this.settled?.remove(upload.uploadId);
    else this.removeOpen(entry);
  }

  private removeOpen(entry: PodEntry<Position>): void {
    this.open.delete(entry.upload.uploadId);
    removeVersion(this.objects, entry);
    removeArrival(this.byArrival, entry);
  }

  /** Called when an entry has changed and may now be settled. */
  touch(entry: PodEntry<Position>): void {
    if (this.settled !== null) this.touched.push(entry);
  }

  /** Settles some of the entries that were touched, the latest first, if they wait for nothing. */
  settle(isAtRest: (entry: PodEntry<Position>) => boolean, countMax = Number.POSITIVE_INFINITY): void {
    const { settled, touched } = this;
    if (settled === null || touched.length === 0) return;
    const resting = touched.splice(Math.max(0, touched.length - countMax)).filter(isAtRest);
    // Sorted by name, because the settled store finds consecutive neighbours faster.
    for (const entry of resting.sort(byName)) {
      // The entry may be gone, or listed twice.
      if (this.open.get(entry.upload.uploadId) !== entry) continue;
      this.removeOpen(entry);
      settled.put(entry);
    }
  }

  /** Lowest version order first. */
  versionsOf(object: ObjectName): readonly EntryView<Position>[] {
    const open = versionsOf(this.objects, object);
    const settled = this.settled?.versionsOf(object);
    if (settled === undefined || settled.length === 0) return open;
    if (open.length === 0) return settled;
    return [...settled, ...open].sort((a, b) => (a.upload.order < b.upload.order ? -1 : 1));
  }

  highestVersion(object: ObjectName): EntryView<Position> | undefined {
    return this.versionsOf(object).at(-1);
  }

  /** The keys of a bucket in the order of their UTF-8 bytes, from this one on. Nothing may change meanwhile. */
  keysFrom(bucket: string, start: string): KeyCursor {
    const open = new OpenKeys((from) => keysFrom(this.objects, bucket, from), start);
    return this.settled === null ? open : new MergedKeys(open, this.settled.keysFrom(bucket, start));
  }

  *keys(): Generator<UploadId> {
    for (const { upload } of this.values()) yield upload.uploadId;
  }

  *values(): Generator<EntryView<Position>> {
    yield* this.open.values();
    if (this.settled !== null) yield* this.settled.values();
  }

  arrivalOf(uploadId: UploadId): number | undefined {
    return this.open.get(uploadId)?.arrival ?? this.settled?.arrivalOf(uploadId);
  }

  /**
   * Arrivals above `after` and below `end` of entries in these buckets of the digests, in order. Nothing may change
   * meanwhile.
   */
  *arrivals(after: number, end: number, buckets: ReadonlySet<number>): Generator<number> {
    const open = openArrivals(this.byArrival, after, end, buckets);
    let next = open.next();
    for (const arrival of this.settled?.arrivals(after, end, buckets) ?? []) {
      for (; !next.done && next.value < arrival; next = open.next()) yield next.value;
      yield arrival;
    }
    for (; !next.done; next = open.next()) yield next.value;
  }

  /** Returns the entry of an arrival, which must exist. */
  atArrival(arrival: number): EntryView<Position> {
    const open = openEntryAt(this.byArrival, arrival);
    return open ?? (this.settled as SettledEntries<Position>).atArrival(arrival);
  }
}

/** Close to the order in which settled entries are stored. */
export function byName(
  { upload: one }: { upload: UploadHeader },
  { upload: other }: { upload: UploadHeader },
): number {
  if (one.bucket !== other.bucket) return one.bucket < other.bucket ? -1 : 1;
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.order < other.order ? -1 : 1;
}
