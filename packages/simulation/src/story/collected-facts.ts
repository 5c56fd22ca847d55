/** Collects the facts that the observers of a run record. */
import type { Address, UploadHeader, UploadId } from "@stashlight/write-path";
import { type Fact, ShardTracker } from "./facts.ts";

export class Notebook {
  readonly facts: Fact[] = [];
  /** Uploads in order of first mention. */
  readonly uploads = new Map<UploadId, ShardTracker>();
  readonly nowUs: () => number;

  constructor(nowUs: () => number) {
    this.nowUs = nowUs;
  }

  /** Groups the same action of several nodes at about the same time into one line. */
  detail(phrase: string, who: readonly Address[], uploadId: UploadId | null = null): void {
    this.#add({ phrase, who, uploadId, isStep: false });
  }

  step(phrase: string, who: readonly Address[] = [], uploadId: UploadId | null = null): void {
    this.#add({ phrase, who, uploadId, isStep: true });
  }

  /** Uses the time of the previous fact, because the clock may have advanced. */
  end(phrase: string): void {
    const timeUs = this.facts.at(-1)?.timeUs ?? this.nowUs();
    this.facts.push({ timeUs, phrase, who: [], uploadId: null, isStep: true, shards: null });
  }

  #add(fact: Pick<Fact, "phrase" | "who" | "uploadId" | "isStep">): void {
    const shards = fact.uploadId === null ? null : (this.uploads.get(fact.uploadId)?.picture ?? null);
    this.facts.push({ ...fact, timeUs: this.nowUs(), shards });
  }

  trackerOf(upload: UploadHeader): ShardTracker {
    const known = this.uploads.get(upload.uploadId);
    if (known) return known;
    const tracker = new ShardTracker(upload);
    this.uploads.set(upload.uploadId, tracker);
    return tracker;
  }
}
