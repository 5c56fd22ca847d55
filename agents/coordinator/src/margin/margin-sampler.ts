/**
 * Periodically asks all nodes how many shards of a few acknowledged uploads are durable, and reports the minimum. Nodes
 * answer as to any other request, and uploads never wait for it.
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
  /** Durable shards of the weakest upload of a round; null if unknown. */
  readonly onRound: (leastCount: number | null) => void;
  /** Uses HTTP by default. */
  readonly ask?: AskAdmin;
  readonly everyMs?: number;
}

const EVERY_MS = 10_000;
const UPLOADS_PER_ROUND = 8;
const ANSWER_WITHIN_MS = 3000;
/** Deadline of a round; later answers are ignored. */
const ROUND_WITHIN_MS = 8000;

export class MarginSampler {
  readonly #options: MarginSamplerOptions;
  readonly #stopped = new AbortController();
  #next: NodeJS.Timeout | null = null;

  constructor(options: MarginSamplerOptions) {
    this.#options = options;
  }

  /** Runs one round at a time. */
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
    // The result of a stopped round does not count.
    onRound(counts.length === 0 || this.#stopped.signal.aborted ? null : Math.min(...counts));
  }

  /** Leaves out uploads that were overwritten or deleted meanwhile, and those that no node reports. */
  async #durableCounts(uploads: readonly AcknowledgedUpload[]): Promise<number[]> {
    const { nodes, access, ask } = this.#options;
    const asked = nodes().filter(({ role }) => role !== "coordinator");
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ROUND_WITHIN_MS)]);
    const silentNodeIds = new Set<string>();
    const counts: number[] = [];
    for (const [bucket, ofBucket] of Map.groupBy(uploads, (upload) => upload.bucket)) {
      const shards = await askHeldShards({
        // Skips nodes that were already silent in this round.
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
