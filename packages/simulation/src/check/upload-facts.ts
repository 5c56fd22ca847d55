/** What the oracle knows of an upload: the copies of its shards, and what nodes have said of it. */
import type { UploadHeader } from "@stashlight/write-path";

export interface UploadFacts {
  readonly upload: UploadHeader;
  /** Copies of each shard on the pods' current drives, and on stash devices. */
  readonly onPod: Int8Array;
  readonly onStash: Int8Array;
  /** Shards that a medium lost, or lied about: what is missing of them is the medium's doing. */
  readonly excused: Uint8Array;
  isAcknowledged: boolean;
  isCommitted: boolean;
  /** A GET or a list answered with it. */
  isShown: boolean;
  /** All n pods held it durably at one moment. */
  hasBeenWhole: boolean;
  /** A tombstone that pods let go of, because nothing is left below it. */
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

/** Records that a medium lost or lied about count as held, as far as any node can know. */
export function judgeWhole(facts: UploadFacts): void {
  facts.hasBeenWhole ||= facts.onPod.every((count, i) => count > 0 || facts.excused[i]);
}

/** How many shards are durable somewhere, and how many of the others media have lost. */
export function countDurable({ onPod, onStash, excused }: UploadFacts): { durable: number; excused: number } {
  const count = { durable: 0, excused: 0 };
  for (let i = 0; i < onPod.length; i += 1) {
    if ((onPod[i] ?? 0) > 0 || (onStash[i] ?? 0) > 0) count.durable += 1;
    else if (excused[i]) count.excused += 1;
  }
  return count;
}
