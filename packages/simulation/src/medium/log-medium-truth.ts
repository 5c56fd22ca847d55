/**
 * Reports the contents of a log's medium to the oracle. Each shard of a medium is counted once, when the image first
 * holds it and its node wants it, and removed once: when the node drops it or it disappears from the medium. A shard
 * that disappears although the node wants it is a violation, unless media damage was injected, or the log has not
 * called it durable. Chance may bring such a shard to the medium: if a power cut left pages of an earlier attempt to
 * write it, the first page of the next attempt makes the record whole, until another page of that attempt is torn.
 */
import { parseShardName } from "@stashlight/shard-store";
import type { Shard } from "@stashlight/write-path";
import type { LogImage } from "./log-medium-image.ts";
import type { MediaWitness } from "./medium.ts";

interface Held {
  readonly key: string;
  /** Null for a promise or horizon of a pod, which the oracle does not track. */
  readonly shard: Shard | null;
  /** The node has appended or recovered the record, and not dropped it. */
  isWanted: boolean;
  /** Copies with a smaller log sequence number have been dropped. */
  deadBelowLsn: number;
  isTold: boolean;
  hasBeenDurable: boolean;
  /** The log has called the record durable, or recovered it, since it was last written. */
  isClaimed: boolean;
  /** Number of appends; a claim about one does not cover a later one. */
  appendCount: number;
}

const NO_UPLOAD_ID = "0".repeat(32);

export class LogTruth {
  readonly #witness: MediaWitness;
  readonly #held = new Map<string, Held>();
  image: Pick<LogImage, "lsnOf"> | null = null;
  /** Media damage has been injected, so that records may be missing through no fault of the log. */
  isSuspect = false;

  constructor(witness: MediaWitness) {
    this.#witness = witness;
  }

  get durableKeys(): string[] {
    return [...this.#held.values()].flatMap(({ key, shard, isTold }) =>
      isTold && shard !== null ? [key] : [],
    );
  }

  get durableShards(): Shard[] {
    return [...this.#held.values()].flatMap(({ shard, isTold }) => (isTold && shard !== null ? [shard] : []));
  }

  /**
   * Counts durable promises, without the horizon and the statement of outcomes, which belong to no upload and remain.
   */
  get promiseCount(): number {
    return [...this.#held.values()].filter(
      ({ key, shard, isWanted }) =>
        shard === null && isWanted && parseShardName(key).uploadId !== NO_UPLOAD_ID,
    ).length;
  }

  /** Returns the number of this append of its key, for `claimed`. */
  appended(key: string, shard: Shard | null): number {
    const known = this.#held.get(key);
    const held = known ?? newHeld(key, shard);
    held.isWanted = true;
    held.hasBeenDurable &&= held.isTold;
    held.appendCount += 1;
    if (known === undefined) this.#held.set(key, held);
    return held.appendCount;
  }

  /** Records that the node dropped the key. `nextLsn` is the number that the log will give to the next record. */
  killed(key: string, nextLsn: number): void {
    const held = this.#held.get(key);
    if (held === undefined || !held.isWanted) return;
    const wasDurable = held.isTold;
    held.isWanted = false;
    held.isTold = false;
    held.isClaimed = false;
    held.deadBelowLsn = nextLsn;
    if (held.shard === null) return;
    const { upload, shardIndex } = held.shard;
    this.#witness.killed(upload.uploadId, shardIndex, wasDurable);
  }

  judge(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    const lsn = this.image?.lsnOf(key) ?? null;
    const isDurable = held.isWanted && lsn !== null && lsn >= held.deadBelowLsn;
    if (isDurable === held.isTold) return;
    if (!isDurable) {
      if (held.isClaimed) this.#lose(held, "overwrote or recycled");
      else this.#retract(held);
      return;
    }
    held.isTold = true;
    held.hasBeenDurable = true;
    if (held.shard !== null) this.#witness.durable(held.shard);
  }

  #retract(held: Held): void {
    held.isTold = false;
    held.hasBeenDurable = false;
    const { uploadId, shardIndex } = parseShardName(held.key);
    if (held.shard !== null) this.#witness.retracted(uploadId, shardIndex);
  }

  #lose(held: Held, deed: string): void {
    const { uploadId, shardIndex } = parseShardName(held.key);
    held.isTold = false;
    held.isClaimed = false;
    if (!this.isSuspect) {
      const sentence = `A log ${deed} record ${shardIndex} of upload ${uploadId}, which its node holds.`;
      this.#witness.violated("S3", sentence);
    }
    if (held.shard !== null) this.#witness.lost(uploadId, shardIndex);
  }

  /** The log reports this append as durable. */
  claimed(key: string, append: number): void {
    const held = this.#held.get(key);
    if (held === undefined || append !== held.appendCount || !held.isWanted) return;
    held.isClaimed = held.isTold;
    if (!held.isTold && !held.hasBeenDurable) this.#judgeClaim(held);
  }

  #judgeClaim(held: Held): void {
    if (!this.isSuspect) {
      const { uploadId, shardIndex } = parseShardName(held.key);
      const sentence = `A log called record ${shardIndex} of upload ${uploadId} durable, and its medium does not hold it.`;
      this.#witness.violated("S4", sentence);
    } else if (held.shard !== null) this.#witness.lied(held.shard);
  }

  /** Records the keys that a recovery found: the node holds exactly these. */
  recovered(keys: Iterable<string>): void {
    const found = new Set(keys);
    for (const held of this.#held.values()) {
      // Log sequence numbers lost in a crash are reused.
      held.deadBelowLsn = 0;
      if (found.has(held.key)) this.#refound(held);
      else {
        held.isWanted = false;
        if (held.isTold) this.#lose(held, "did not recover");
      }
    }
    for (const key of found) {
      if (!this.#held.has(key))
        this.#witness.violated("S5", "A log recovered a record that was never appended.");
    }
  }

  #refound(held: Held): void {
    held.isWanted = true;
    this.judge(held.key);
    held.isClaimed = held.isTold;
    if (held.isTold) return;
    // A checkpoint may name a record that has rotted since, and a drive may serve data that only its cache holds.
    if (this.isSuspect) this.claimed(held.key, held.appendCount);
    else {
      const { uploadId, shardIndex } = parseShardName(held.key);
      const sentence = `A log recovered record ${shardIndex} of upload ${uploadId}, which its medium does not hold or which was dead.`;
      this.#witness.violated("S7", sentence);
    }
  }

  /** The medium is replaced by another one. */
  lostAll(): void {
    for (const { isTold, shard } of this.#held.values()) {
      if (isTold && shard !== null) this.#witness.lost(shard.upload.uploadId, shard.shardIndex);
    }
    this.#held.clear();
    this.isSuspect = false;
    this.image = null;
  }
}

function newHeld(key: string, shard: Shard | null): Held {
  return {
    key,
    shard,
    isWanted: true,
    deadBelowLsn: 0,
    isTold: false,
    hasBeenDurable: false,
    isClaimed: false,
    appendCount: 0,
  };
}
