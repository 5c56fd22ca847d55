/**
 * Asks all nodes now and then how many shards of a few acknowledged uploads are durable, and tells the least number. It
 * is a question to nodes like anybody's: uploads know nothing of it, and wait for nothing of it.
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
  /** Durable shards of the weakest upload of a round; null when nothing is known of any. */
  readonly onRound: (leastCount: number | null) => void;
  /** Over HTTP if not given. */
  readonly ask?: AskAdmin;
  readonly everyMs?: number;
}

const EVERY_MS = 10_000;
const UPLOADS_PER_ROUND = 8;
const ANSWER_WITHIN_MS = 3000;
/** The limit for a whole round: what is not known by then is left out of it. */
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

  /** What is under way is given up. */
  stop(): void {
    this.#stopped.abort();
    if (this.#next !== null) clearTimeout(this.#next);
    this.#options.onRound(null);
  }

  async round(): Promise<void> {
    const { sample, onRound } = this.#options;
    const counts = await this.#durableCounts(sample.draw(UPLOADS_PER_ROUND));
    // A figure that is not of this round is none.
    onRound(counts.length === 0 || this.#stopped.signal.aborted ? null : Math.min(...counts));
  }

  /** Uploads that a newer version or a deletion has overtaken are left out, and all of which no node tells anything. */
  async #durableCounts(uploads: readonly AcknowledgedUpload[]): Promise<number[]> {
    const { nodes, access, ask } = this.#options;
    const asked = nodes().filter(({ role }) => role !== "coordinator");
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ROUND_WITHIN_MS)]);
    const silentNodeIds = new Set<string>();
    const counts: number[] = [];
    for (const [bucket, ofBucket] of Map.groupBy(uploads, (upload) => upload.bucket)) {
      const shards = await askHeldShards({
        // Who was silent once in this round is not waited for again.
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
