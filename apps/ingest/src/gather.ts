/**
 * Batches that come at about the same time are committed together: a commit costs a sync of the database's disk,
 * whether it brings one batch or a hundred.
 *
 *     add -> waiting --(some ms, or enough of them)--> one commit under way of a few -> every waiter is answered
 *
 * The end of the commit before does not cut the wait short, or groups would be as small as commits are quick.
 *
 * A batch that comes again while the same one waits shares its answer. When a commit of many fails for another reason
 * than that the database is away, each is committed alone, so that a bad one does not take the others with it.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { ReceivedBatch, Remark } from "@stashlight/services/metrics/ingest";

export interface GatherOptions {
  /**
   * All or nothing; rejects with `unavailable` when a retry may help. Resolves to what was not stored as sent, for each
   * batch.
   */
  readonly commit: (batches: readonly ReceivedBatch[]) => Promise<readonly (readonly Remark[])[]>;
  readonly gatherMs: number;
  readonly batchesPerCommitMax: number;
  readonly commitsAtOnceMax: number;
}

interface Waiter {
  readonly accepted: ReceivedBatch;
  readonly done: PromiseWithResolvers<readonly Remark[]>;
}

export class Gather {
  readonly #options: GatherOptions;
  readonly #known = new Map<string, Promise<readonly Remark[]>>();
  readonly #underWay = new Set<Promise<void>>();
  #waiting: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  /** Resolves when the batch is committed, with what was not stored as sent. */
  add(accepted: ReceivedBatch): Promise<readonly Remark[]> {
    const { bootId, sequence } = accepted.batch;
    const name = `${accepted.nodeId}/${bootId}/${sequence}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const done = Promise.withResolvers<readonly Remark[]>();
    this.#known.set(name, done.promise);
    const forget = () => void this.#known.delete(name);
    done.promise.then(forget, forget);
    this.#waiting.push({ accepted, done });
    if (this.#waiting.length >= this.#options.batchesPerCommitMax) this.#commitWaiting();
    else this.#timer ??= setTimeout(() => this.#commitWaiting(), this.#options.gatherMs);
    return done.promise;
  }

  /** Commits what waits, and resolves when all of it is answered. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#commitWaiting();
      await Promise.all(this.#underWay);
    }
  }

  #commitWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#waiting.length > 0 && this.#underWay.size < this.#options.commitsAtOnceMax) {
      const group = this.#waiting.splice(0, this.#options.batchesPerCommitMax);
      const committing = this.#commitGroup(group).then(() => {
        this.#underWay.delete(committing);
        const isOverdue = this.#timer === undefined && this.#waiting.length > 0;
        if (isOverdue) this.#commitWaiting();
      });
      this.#underWay.add(committing);
    }
  }

  async #commitGroup(group: readonly Waiter[]): Promise<void> {
    try {
      const remarks = await this.#options.commit(group.map(({ accepted }) => accepted));
      for (const [i, { done }] of group.entries()) done.resolve(remarks[i] as readonly Remark[]);
    } catch (error) {
      if (group.length === 1 || canBeRetried(error)) for (const { done } of group) done.reject(error);
      else for (const waiter of group) await this.#commitGroup([waiter]);
    }
  }
}

const canBeRetried = (error: unknown): boolean =>
  error instanceof StashlightError && (error.code === "unavailable" || error.code === "storage_full");
