/**
 * Counts the visible objects of a pod, and the bytes that they need on its drive. A vault may hold millions of objects,
 * so a round is done in slices, and the figure is that of the last complete round. The bytes in use to compare it with
 * are from the same round, because uploads and compaction change them continuously.
 */
import type { UploadHeader } from "@stashlight/write-path";
import { isOfClient, sizeOf } from "./index.ts";

export interface VisibleSurveyOptions {
  readonly nowMs: () => number;
  /** Pause between rounds, per step of the round, so that few objects are counted frequently. */
  readonly pausePerStepMs: number;
  readonly pauseMsMax: number;
  readonly objectsPerStep: number;
}

export interface VisibleObjects {
  readonly count: number;
  readonly bytes: number;
}

export class VisibleSurvey {
  readonly #options: VisibleSurveyOptions;
  #round: Iterator<UploadHeader> | null = null;
  #stepCount = 0;
  #sum = 0;
  #counted: VisibleObjects = { count: 0, bytes: 0 };
  #objects: VisibleObjects | null = null;
  #nextRoundMs = 0;
  #bytes: number | null = null;
  #inUseAtStart = 0;
  #inUseBytes: number | null = null;

  constructor(options: VisibleSurveyOptions) {
    this.#options = options;
  }

  /** Null until the first round is complete. */
  get bytes(): number | null {
    return this.#bytes;
  }

  /** The objects themselves, with the bytes of their bodies; null until the first round is complete. */
  get objects(): VisibleObjects | null {
    return this.#objects;
  }

  /** Bytes in use on the drive during the last round: the mean of its start and its end. */
  get inUseBytes(): number | null {
    return this.#inUseBytes;
  }

  step(objects: () => Iterator<UploadHeader>, inUseBytes: number): void {
    const { nowMs, pausePerStepMs, pauseMsMax, objectsPerStep } = this.#options;
    if (this.#round === null) {
      if (nowMs() < this.#nextRoundMs) return;
      this.#round = objects();
      this.#stepCount = 0;
      this.#sum = 0;
      this.#counted = { count: 0, bytes: 0 };
      this.#inUseAtStart = inUseBytes;
    }
    this.#stepCount += 1;
    for (let count = 0; count < objectsPerStep; count++) {
      const next = this.#round.next();
      if (next.done) {
        this.#bytes = this.#sum;
        this.#objects = this.#counted;
        this.#inUseBytes = (this.#inUseAtStart + inUseBytes) / 2;
        this.#round = null;
        this.#nextRoundMs = nowMs() + Math.min(pauseMsMax, this.#stepCount * pausePerStepMs);
        return;
      }
      if (isOfClient(next.value)) this.#count(next.value);
    }
  }

  #count(header: UploadHeader): void {
    const bytes = sizeOf(header);
    this.#sum += bytes / header.scheme.dataShardCount;
    this.#counted = { count: this.#counted.count + 1, bytes: this.#counted.bytes + bytes };
  }
}
