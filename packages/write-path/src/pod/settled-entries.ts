/**
 * Entries of a pod that wait for nothing: their shards are durable, and all n pods hold theirs. They are nearly all of a
 * pod's entries, so they may be stored in another form. To change one, the pod takes it out and puts it back (entry-index.ts).
 */
import type { UploadId } from "../shard.ts";
import type { EntryView } from "./entry.ts";
import type { KeyCursor } from "./key-cursor.ts";

export interface ObjectName {
  readonly bucket: string;
  readonly key: string;
}

export interface SettledEntries<Position> {
  readonly count: number;
  has(uploadId: UploadId): boolean;
  get(uploadId: UploadId): EntryView<Position> | undefined;
  /** Lowest version order first. */
  versionsOf(object: ObjectName): EntryView<Position>[];
  keysFrom(bucket: string, start: string): KeyCursor;
  /**
   * All entries, those of an object one after another. Changes to entries that the iterator has passed are not seen.
   */
  values(): Iterable<EntryView<Position>>;
  arrivalOf(uploadId: UploadId): number | undefined;
  /**
   * Arrivals above `after` and below `end` of entries in these buckets of the digests, in order. Nothing may change
   * meanwhile.
   */
  arrivals(after: number, end: number, buckets: ReadonlySet<number>): Iterable<number>;
  /** Returns the entry of an arrival, which must exist. */
  atArrival(arrival: number): EntryView<Position>;
  /**
   * Returns false if the entry is the only version of its object here, and rarely true although it is.
   */
  put(entry: EntryView<Position>): boolean;
  remove(uploadId: UploadId): void;
}
