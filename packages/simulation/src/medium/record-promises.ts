import type { Random } from "@stashlight/stats/forkable-random";
import { LOWEST_ORDER, type Refusal, type UploadId, type VersionOrder } from "@stashlight/write-path";

interface Promised {
  readonly refusal: Refusal;
  isDurable: boolean;
  /** Like a killed shard, the promise is dropped from the medium by the next sync. */
  isForgotten: boolean;
}

/** Promises on a pod's medium of records: uploads that it will never take, and its horizon. */
export class RecordPromises {
  readonly #refusals = new Map<UploadId, Promised>();
  readonly #horizon = { order: LOWEST_ORDER, durable: LOWEST_ORDER };

  get count(): number {
    return [...this.#refusals.values()].filter(({ isForgotten }) => !isForgotten).length;
  }

  refuse(refusal: Refusal): void {
    this.#refusals.set(refusal.uploadId, { refusal, isDurable: false, isForgotten: false });
  }

  forget(uploadId: UploadId): void {
    const promise = this.#refusals.get(uploadId);
    if (promise) promise.isForgotten = true;
  }

  raiseHorizon(horizon: VersionOrder): void {
    this.#horizon.order = horizon;
  }

  /** Covers the promises pending when a sync begins; the returned function makes them durable. */
  cover(): () => void {
    const covered = [...this.#refusals.values()].filter(({ isDurable }) => !isDurable);
    const { order } = this.#horizon;
    return () => {
      for (const promise of covered) promise.isDurable = true;
      if (order > this.#horizon.durable) this.#horizon.durable = order;
      for (const [uploadId, { isForgotten }] of this.#refusals)
        if (isForgotten) this.#refusals.delete(uploadId);
    };
  }

  /** Promises found by a boot count as durable from then on, and are no longer forgotten. */
  recover(): { refusals: readonly Refusal[]; horizon: VersionOrder } {
    const promises = [...this.#refusals.values()];
    for (const promise of promises) {
      promise.isDurable = true;
      promise.isForgotten = false;
    }
    this.#horizon.durable = this.#horizon.order;
    return { refusals: promises.map(({ refusal }) => refusal), horizon: this.#horizon.order };
  }

  /** Unsynced promises may be gone. */
  powerCut(random: Random): void {
    for (const [uploadId, { isDurable }] of this.#refusals) {
      if (!isDurable && random.chance(0.5)) this.#refusals.delete(uploadId);
    }
    if (random.chance(0.5)) this.#horizon.order = this.#horizon.durable;
  }
}
