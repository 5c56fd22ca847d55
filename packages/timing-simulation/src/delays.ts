/** Delays of messages and of the stash's syncs in a scenario, and the correlation of delays at the same moment. */

import type { Random } from "@stashlight/stats/forkable-random";
import type { Address, Message, Shard, UploadId } from "@stashlight/write-path";
import { drawRank, type ShardSet } from "./delay-correlation.ts";
import { valueAt } from "./drives.ts";
import type { EventHeap } from "./event-heap.ts";
import type { Quantile, ScenarioOptions } from "./options.ts";

const HEX = 16;

export const toUploadId = (token: number): UploadId => token.toString(HEX).padStart(32, "0");
const uploadSeed = (uploadId: UploadId): number => Number.parseInt(uploadId, HEX);

/** Time for which a busy machine or disk stays busy: an assumption. */
const MOMENT_US = 200_000;

export class Delays {
  readonly #options: ScenarioOptions;
  readonly #random: Random;
  readonly #seed: number;
  readonly #momentsDraw: () => number;

  constructor(options: ScenarioOptions, heap: EventHeap, random: Random) {
    this.#options = options;
    this.#momentsDraw = sharedDraw(heap, random.fork());
    this.#seed = random.below(2 ** 32);
    this.#random = random;
  }

  /** One-way delay from one machine to another. */
  messageUs(from: Address, to: Address, message: Message): number {
    const { networkUsMin, networkUsMax, messageUs, stashMessageUs } = this.#options;
    if (messageUs === null) return networkUsMin + this.#random.next() * (networkUsMax - networkUsMin);
    const isOfStash = isStash(from) || isStash(to);
    const quantiles: readonly Quantile[] = (isOfStash ? stashMessageUs : null) ?? messageUs;
    return valueAt(quantiles, this.#messageRank(message));
  }

  /** A shard and its answer have the same rank, since both go through the same two processes. */
  #messageRank(message: Message): number {
    if (this.#options.alike === null) return this.#momentsDraw();
    switch (message.type) {
      case "pod.append":
        return this.#rankOf(message.shard.upload.uploadId, "pods", message.shard.shardIndex);
      case "stash.append":
        return this.#rankOf(message.shard.upload.uploadId, "stash", message.shard.shardIndex);
      case "coordinator.podAppended":
        return this.#rankOf(message.uploadId, "pods", message.podIndex);
      case "coordinator.stashAppended":
        return this.#rankOf(message.uploadId, "stash", message.shardIndex);
      default:
        return this.#random.next();
    }
  }

  #rankOf(uploadId: UploadId, set: ShardSet, shard: number): number {
    const { alike } = this.#options;
    if (alike === null) return this.#random.next();
    return drawRank({ alike, seed: this.#seed }, { upload: uploadSeed(uploadId), set, shard });
  }

  /** Returns the rank of a sync's slowness; `random` is the drive's own generator. */
  stashSyncDraw(shard: Shard | null, random: Random): number {
    const { alike, stashSharedShare } = this.#options;
    if (alike !== null && shard !== null)
      return this.#rankOf(shard.upload.uploadId, "stash", shard.shardIndex);
    return stashSharedShare > 0 && random.next() < stashSharedShare ? this.#momentsDraw() : random.next();
  }
}

const isStash = (address: Address): boolean => address.startsWith("s");

function sharedDraw(heap: EventHeap, random: Random): () => number {
  let moment = -1;
  let draw = 0;
  return () => {
    const now = Math.floor(heap.nowUs / MOMENT_US);
    if (now !== moment) {
      moment = now;
      draw = random.next();
    }
    return draw;
  };
}
