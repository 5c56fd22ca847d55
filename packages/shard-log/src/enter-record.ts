/** Updates the index when a record enters a batch, and decides whether a frame still fits into a segment. */
import assert from "node:assert/strict";
import type { Batch } from "./batch.ts";
import { alignPage, FRAME_HEADER_BYTES, PAGE_BYTES, RECORD_HEADER_BYTES, recordBytes } from "./format.ts";
import { checkpointBytesMax, type LogOptions } from "./options.ts";
import { Entry, type Segment, type WaitingKill } from "./segment.ts";
import type { Volume } from "./volume.ts";

const NO_COPIES: readonly number[] = [];
/** Space for the headers of two purge lists in a checkpoint. */
const PURGE_LIST_SLACK_BYTES = 2 * RECORD_HEADER_BYTES;

export function enterRecord(volume: Volume, batch: Batch, key: string, bytes: number): Entry {
  const { segment } = batch;
  const previous = volume.index.get(key) ?? null;
  const olderCopies = previous === null ? NO_COPIES : volume.copiesOf(previous);
  const entry = new Entry(key, segment, batch.offset + batch.length, bytes, batch.nextLsn, olderCopies);
  entry.previous = previous;
  volume.addEntry(entry);
  if (previous !== null) {
    volume.drop(previous);
    batch.releases.push(previous);
  }
  batch.entries.push(entry);
  return entry;
}

/** Enters the copy of a record to which no key refers, but whose kill has not found space yet. */
export function enterDyingRecord(
  volume: Volume,
  batch: Batch,
  moved: Entry,
  kill: WaitingKill,
  bytes: number,
): Entry {
  const { key } = moved;
  assert(!volume.index.has(key), "A record with a waiting kill is entered only if no key refers to it.");
  const copies = volume.copiesOf(moved);
  const entry = new Entry(key, batch.segment, batch.offset + batch.length, bytes, batch.nextLsn, copies);
  entry.waitingKill = kill;
  kill.entry = entry;
  kill.belowLsn = entry.lsn + 1;
  volume.drop(moved);
  batch.releases.push(moved);
  volume.addDying(entry);
  batch.entries.push(entry);
  return entry;
}

/** Returns true if the segment has space for the frame followed by the checkpoint that ends the segment. */
export function fits(
  options: Pick<LogOptions, "segmentBytes" | "batchBytesMax">,
  segment: Segment,
  offset: number,
  frameBytes: number,
  directoryBytes: number,
): boolean {
  const { directory } = segment;
  let checkpointBytes = 0;
  if (directory !== null) {
    const listed = directory.length + directoryBytes + PURGE_LIST_SLACK_BYTES;
    checkpointBytes = alignPage(FRAME_HEADER_BYTES + recordBytes(0, listed));
    if (checkpointBytes > checkpointBytesMax(options.segmentBytes)) {
      segment.directory = null;
      checkpointBytes = 0;
    }
  }
  const end = offset + alignPage(frameBytes) + checkpointBytes;
  return frameBytes <= options.batchBytesMax && end <= options.segmentBytes - PAGE_BYTES;
}
