/**
 * Limits how much of a volume each class of records may fill, so that a volume full of data can always be emptied
 * again.
 *
 * A removal (a tombstone above a record that this log holds) allows another record to go. It must fit into the fullest
 * log that data can make, so every class of records that frees nothing stops below that. With W, the bytes that
 * compaction can always make available:
 *
 *     data          stops at 15/16 W   live bytes
 *     replacement   stops at 31/32 W   a version that is no larger than the one it supersedes
 *     repair        stops at 63/64 W   a shard that other nodes count on (repairs, pushes, hand-offs), a promise
 *     removal       stops at W - H
 *     horizon       stops at W
 *
 * A promise never to accept an upload frees nothing, and each failed write leaves one, so promises may not use the
 * reserve for removals. A horizon is the promise that makes the others superfluous (packages/write-path). It is one
 * record that replaces the one before it, and H bytes are reserved for it, so a pod can always forget its promises.
 *
 * Garbage can always be turned into free space. Purges and compaction own two segments, and one is being written. The
 * other segments number S - 3. Compaction packs records one after the other and leaves a segment when the next record
 * does not fit, so of its F bytes a segment holds at least E = F - (the largest record's frame) - (the largest
 * checkpoint). As long as at most W = (S - 3) E bytes live, they fit into S - 3 segments. If they occupy more segments,
 * one of those holds less than E, and moving its records gains space, so rounds continue until appends have space.
 *
 * The reserve for removals is enough to delete everything. A tombstone has the key of the record that it supersedes, no
 * larger metadata and no payload, so it takes no more bytes than that record frees. Live bytes grow only by tombstones
 * whose predecessor has not been dropped: it is dropped with the first flush after the deletion was committed. A pod that
 * is short of space flushes at once, and removals without space wait for it (packages/shard-store). So deleting
 * everything needs at most the tombstones of the deletions that are in progress or undecided, and nothing else ever takes
 * W / 64 - H: with the smallest pods of a local vault, about a megabyte, or 600 tombstones of the longest keys. A
 * coordinator has at most 32 deletions in progress (agents/coordinator/src/admission/operations.ts). Were there more than
 * the reserve holds, different ones could fill the reserves of different pods, and none would ever be on enough pods.
 */
import {
  checkpointBytesMax,
  frameSpace,
  type LogOptions,
  largestFrameBytes,
  RESERVE_SEGMENTS,
} from "./options.ts";

/** Class of an append, which determines how much of the volume it may fill. */
export type SpaceClass = "data" | "replacement" | "repair" | "removal" | "horizon";

/** Share of W that each class leaves free. */
const shareKept = {
  data: 1 / 16,
  replacement: 1 / 32,
  repair: 1 / 64,
  removal: 0,
  horizon: 0,
} as const satisfies Record<SpaceClass, number>;

/** H: bytes of a record with only a header and a version order, with a margin. */
const HORIZON_BYTES = 512;

type Geometry = Pick<LogOptions, "policy" | "segmentBytes" | "segmentCount" | "recordBytesMax">;

/**
 * Maximum live bytes after a record of this class has been appended. A ring has no reserve: pods purge its records
 * without writing a record, and uploads take the direct path long before it is full.
 */
export function liveBytesMax(geometry: Geometry, room: SpaceClass): number {
  const { policy, segmentBytes, segmentCount, recordBytesMax } = geometry;
  if (policy === "ring") return (segmentCount - RESERVE_SEGMENTS) * frameSpace(segmentBytes);
  const lost = largestFrameBytes(recordBytesMax) + checkpointBytesMax(segmentBytes);
  const arrangeable = (segmentCount - RESERVE_SEGMENTS - 1) * (frameSpace(segmentBytes) - lost);
  const keptBytes = room === "horizon" ? 0 : HORIZON_BYTES;
  return Math.min(Math.floor(arrangeable * (1 - shareKept[room])), arrangeable - keptBytes);
}
