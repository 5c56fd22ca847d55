/**
 * Periodically asks all nodes how many shards of a few acknowledged uploads are durable, and reports the minimum. Nodes
 * answer as to any other request, and uploads never wait for it.
 */
import { marginRounds } from "@stashlight/contracts/vault-state";
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
  /** Minimum that the scheme guarantees. Below it rounds repeat sooner, because the margin recovers as nodes return. */
  readonly guaranteedCount: number;
  /** Uses HTTP by default. */
  readonly ask?: AskAdmin;
  readonly everyMs?: number;
  readonly whileShortEveryMs?: number;
}

const WHILE_SHORT_EVERY_MS = 3_000;
const UPLOADS_PER_ROUND = 8;
const ANSWER_WITHIN_MS = 3000;

export class MarginSampler {
  readonly #options: MarginSamplerOptions;
  readonly #stopped = new AbortController();
  #next: NodeJS.Timeout | null = null;
  #isShort = false;

  constructor(options: MarginSamplerOptions) {
    this.#options = options;
  }

  /** Runs one round at a time. */
  start(): void {
    const { everyMs = marginRounds.everyMs, whileShortEveryMs = WHILE_SHORT_EVERY_MS } = this.#options;
    this.#next = setTimeout(
      async () => {
        await this.round();
        if (!this.#stopped.signal.aborted) this.start();
      },
      this.#isShort ? whileShortEveryMs : everyMs,
    );
  }

  /** Cancels requests in progress. */
  stop(): void {
    this.#stopped.abort();
    if (this.#next !== null) clearTimeout(this.#next);
    this.#options.onRound(null);
  }

  async round(): Promise<void> {
    const { sample, onRound, guaranteedCount } = this.#options;
    const counts = await this.#durableCounts(sample.draw(UPLOADS_PER_ROUND));
    // The result of a stopped round does not count.
    const leastCount = counts.length === 0 || this.#stopped.signal.aborted ? null : Math.min(...counts);
    this.#isShort = leastCount !== null && leastCount < guaranteedCount;
    onRound(leastCount);
  }

  /** Leaves out uploads that were overwritten or deleted meanwhile, and those that no node reports. */
  async #durableCounts(uploads: readonly AcknowledgedUpload[]): Promise<number[]> {
    const { nodes, access, ask } = this.#options;
    const asked = nodes().filter(({ role }) => role !== "coordinator");
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(marginRounds.withinMs)]);
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
