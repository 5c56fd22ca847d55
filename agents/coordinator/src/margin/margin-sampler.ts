/**
 * Periodically asks all nodes how many shards of a few acknowledged uploads are durable, and reports the minimum. Nodes
 * answer it like any other request: uploads do not know of it, and never wait for it.
 */
import type { VaultNode } from "@stashlight/node-runtime/config";
import {
  type AdminAccess,
  type AskAdmin,
  askHeldShards,
  countDurableOfUpload,
} from "@stashlight/node-runtime/durability";
import type { AcknowledgedSample, AcknowledgedUpload } from "./acknowledged-sample.ts";

export interface MarginSamplerOptions {
  readonly nodes: () => readonly VaultNode[];
  readonly access: AdminAccess;
  readonly sample: Pick<AcknowledgedSample, "draw">;
  /** Durable shards of the weakest upload of a round; null if none is known. */
  readonly onRound: (leastCount: number | null) => void;
  /** Over HTTP if not given. */
  readonly ask?: AskAdmin;
  readonly everyMs?: number;
}

const EVERY_MS = 10_000;
const UPLOADS_PER_ROUND = 8;
const ANSWER_WITHIN_MS = 3000;
/** Deadline of a whole round; later answers are left out of it. */
const ROUND_WITHIN_MS = 8000;

export class MarginSampler {
  readonly #options: MarginSamplerOptions;
  readonly #stopped = new AbortController();
  #next: NodeJS.Timeout | null = null;

  constructor(options: MarginSamplerOptions) {
    this.#options = options;
  }

  /** One round at a time: the next one waits until the one before has ended. */
  start(): void {
    this.#next = setTimeout(async () => {
      await this.round();
      if (!this.#stopped.signal.aborted) this.start();
    }, this.#options.everyMs ?? EVERY_MS);
  }

  /** Cancels requests in progress. */
  stop(): void {
    this.#stopped.abort();
    if (this.#next !== null) clearTimeout(this.#next);
    this.#options.onRound(null);
  }

  async round(): Promise<void> {
    const { sample, onRound } = this.#options;
    const counts = await this.#durableCounts(sample.draw(UPLOADS_PER_ROUND));
    // A figure of another round does not count.
    onRound(counts.length === 0 || this.#stopped.signal.aborted ? null : Math.min(...counts));
  }

  /** Leaves out uploads that a newer version or a deletion has overtaken, and those that no node reports. */
  async #durableCounts(uploads: readonly AcknowledgedUpload[]): Promise<number[]> {
    const { nodes, access, ask } = this.#options;
    const asked = nodes().filter(({ role }) => role !== "coordinator");
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ROUND_WITHIN_MS)]);
    const silentNodeIds = new Set<string>();
    const counts: number[] = [];
    for (const [bucket, ofBucket] of Map.groupBy(uploads, (upload) => upload.bucket)) {
      const shards = await askHeldShards({
        // Does not wait again for a node that was silent once in this round.
        nodes: asked.filter(({ id }) => !silentNodeIds.has(id)),
        bucket,
        keys: ofBucket.map(({ key }) => key),
        silentNodeIds,
        access,
        timeoutMs: ANSWER_WITHIN_MS,
        signal,
        ...(ask && { ask }),
      });
      if (signal.aborted || silentNodeIds.size === asked.length) break;
      for (const upload of ofBucket) {
        const count = countDurableOfUpload(
          shards.filter(({ key }) => key === upload.key),
          upload,
        );
        if (count !== null) counts.push(count);
      }
    }
    return counts;
  }
}
