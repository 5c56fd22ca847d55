/** Notable facts of a run, as they happen. */
import type { Address, UploadHeader, UploadId } from "@stashlight/write-path";

export interface Fact {
  readonly timeUs: number;
  /**
   * The acting nodes, empty if the phrase has no actor. Facts with the same phrase and upload are reported together.
   */
  readonly who: readonly Address[];
  /** Contains `{who}` for the nodes and `{upload}` for the upload's name. */
  readonly phrase: string;
  readonly uploadId: UploadId | null;
  /** A step has its own line and ends a group of facts; everything else is detail. */
  readonly isStep: boolean;
  /** Places of the shards after a step, for the picture that follows its line. */
  readonly shards: ShardPicture | null;
}

/** One character per shard: `.` nowhere, `w` written to a page cache, `D` durable. */
export interface ShardPicture {
  readonly pods: string;
  readonly stash: string;
}

/** Locations of an upload's shards, from the media's own reports. */
export class ShardTracker {
  readonly upload: UploadHeader;
  readonly #written: boolean[];
  readonly #onPod: number[];
  readonly #onStash: number[];

  constructor(upload: UploadHeader) {
    const { dataShardCount, parityShardCount } = upload.scheme;
    const n = dataShardCount + parityShardCount;
    this.upload = upload;
    this.#written = Array.from({ length: n }, () => false);
    this.#onPod = Array.from({ length: n }, () => 0);
    this.#onStash = Array.from({ length: n }, () => 0);
  }

  written(shardIndex: number): void {
    this.#written[shardIndex] = true;
  }

  /** Records that this pod's page cache is gone. */
  unwritten(shardIndex: number): void {
    this.#written[shardIndex] = false;
  }

  changed(place: "pod" | "stash", shardIndex: number, by: 1 | -1): void {
    const copies = place === "pod" ? this.#onPod : this.#onStash;
    copies[shardIndex] = (copies[shardIndex] ?? 0) + by;
    if (place === "pod" && by === -1) this.#written[shardIndex] = false;
  }

  get picture(): ShardPicture {
    const pods = this.#onPod.map((count, i) => (count > 0 ? "D" : this.#written[i] ? "w" : "."));
    const stash = this.#onStash.map((count) => (count > 0 ? "D" : "."));
    return { pods: pods.join(""), stash: stash.join("") };
  }
}
