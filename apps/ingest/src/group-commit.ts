/**
 * Commits batches that arrive at about the same time together: a commit costs a sync of the database's disk, whether it
 * contains one batch or a hundred.
 *
 *     add -> waiting --(some ms, or enough of them)--> one of a few concurrent commits -> every waiter is answered
 *
 * The end of the previous commit does not shorten the wait, or fast commits would make groups small.
 *
 * A batch that arrives again while the same one waits shares its answer. If a commit of several fails although the
 * database is available, each is committed alone, so that a bad one does not fail the others.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type { ReceivedBatch, Remark } from "@stashlight/services/metrics/ingest";

export interface GroupCommitOptions {
  /**
   * Commits all or nothing; rejects with `unavailable` if a retry may help. Resolves to the values not stored as sent,
   * per batch.
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

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #known = new Map<string, Promise<readonly Remark[]>>();
  readonly #underWay = new Set<Promise<void>>();
  #waiting: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /** Resolves when the batch is committed, with the values not stored as sent. */
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

  /** Commits waiting batches, and resolves when all of them are answered. */
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
