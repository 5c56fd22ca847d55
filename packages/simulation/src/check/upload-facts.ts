/** The oracle's record of an upload: the copies of its shards, and the reports of nodes about it. */
import type { UploadHeader } from "@stashlight/write-path";

export interface UploadFacts {
  readonly upload: UploadHeader;
  /** Copies of each shard on the pods' current drives, and on stash devices. */
  readonly onPod: Int8Array;
  readonly onStash: Int8Array;
  /** Shards that a medium lost or falsely reported as durable. The medium is to blame for their absence. */
  readonly excused: Uint8Array;
  isAcknowledged: boolean;
  isCommitted: boolean;
  /** A GET or a list has returned the upload. */
  isShown: boolean;
  /** All n pods held the upload durably at the same moment. */
  hasBeenWhole: boolean;
  /** The upload is a tombstone that pods drop because no lower version is left. */
  isForgotten: boolean;
}

export function isPromised({ isAcknowledged, isCommitted, isShown }: UploadFacts): boolean {
  return isAcknowledged || isCommitted || isShown;
}

export function createFacts(upload: UploadHeader, shardCount: number): UploadFacts {
  return {
    upload,
    onPod: new Int8Array(shardCount),
    onStash: new Int8Array(shardCount),
    excused: new Uint8Array(shardCount),
    isAcknowledged: false,
    isCommitted: false,
    isShown: false,
    hasBeenWhole: false,
    isForgotten: false,
  };
}

/**
 * Notes whether every pod holds its shard. A shard that a medium lost or falsely reported counts, since no node can
 * know better.
 */
export function judgeWhole(facts: UploadFacts): void {
  facts.hasBeenWhole ||= facts.onPod.every((count, i) => count > 0 || facts.excused[i]);
}

/** Counts the shards that are durable on any medium, and of the others those that media have lost. */
export function countDurable({ onPod, onStash, excused }: UploadFacts): { durable: number; excused: number } {
  const count = { durable: 0, excused: 0 };
  for (let i = 0; i < onPod.length; i += 1) {
    if ((onPod[i] ?? 0) > 0 || (onStash[i] ?? 0) > 0) count.durable += 1;
    else if (excused[i]) count.excused += 1;
  }
  return count;
}
