/**
 * Deletes the pieces of bodies that were deleted, replaced or given up, once their grace is over and no request holds
 * them. Callers may add a body on suspicion: the collector checks that nothing refers to it just before it deletes the
 * pieces. Two coordinators may collect the same body, or one may do so twice; the second deletion changes nothing.
 *
 * A body waits until its collection has succeeded. After a failure the whole collector rests, longer each time, and
 * then takes one body, two, four and so on: a vault in trouble is left alone, and one body that cannot be deleted does
 * not block the others. The sweep finds the bodies for which the queue had no room, and those that were in the queue of
 * a process that ended.
 */
import { PARTS } from "../records/multipart-records.ts";
import { PIECES, type PieceList, pieceKey } from "../records/pieces.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { findBodies, findUnreferenced, isHeld, pieceCountOf, type UnreferencedBody } from "./bodies.ts";
import type { Holds } from "./holds.ts";
import { inParallel } from "./in-parallel.ts";
import type { LeaseBook } from "./lease-book.ts";
import type { SpaceTiming } from "./timing.ts";

export interface CollectorOptions {
  readonly vault: VaultVerbs;
  readonly holds: Holds;
  readonly leases: LeaseBook;
  readonly timing: SpaceTiming;
  readonly nowMs: () => number;
  /** Returns whether clients keep the vault busy, so that pieces should be deleted one at a time. */
  readonly isBusy: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

interface Waiting {
  readonly list: PieceList;
  readonly attemptCount: number;
  readonly dueMs: number;
}

/** A waiting body takes about 300 bytes of memory, so a full queue takes 15 MB. */
const WAITING_COUNT_MAX = 50_000;
const BATCH_COUNT_MAX = 64;
const DELETE_COUNT_MAX = 8;
const RETRY_MS_MAX = 60_000;
const RETRY_DOUBLING_COUNT_MAX = 10;

export class Collector {
  readonly #options: CollectorOptions;
  readonly #waiting = new Map<string, Waiting>();
  #waitingBytes = 0;
  #collectedCount = 0;
  #collectedBytes = 0;
  #failureCount = 0;
  #leftCount = 0;
  /** Turns that failed since one succeeded. */
  #failedTurnCount = 0;
  /** Bodies that the next turn takes. */
  #batchCount = BATCH_COUNT_MAX;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Pieces that were deleted, and their bytes, since this process began. */
  get collectedCount(): number {
    return this.#collectedCount;
  }

  get collectedBytes(): number {
    return this.#collectedBytes;
  }

  /** Turns that failed since this process began. */
  get failureCount(): number {
    return this.#failureCount;
  }

  /** Bodies for which the queue had no room. */
  get leftCount(): number {
    return this.#leftCount;
  }

  isWaiting(bodyId: string): boolean {
    return this.#waiting.has(bodyId);
  }

  /** Queues bodies that may be garbage; they are not touched before the grace has passed. */
  add(lists: readonly PieceList[], graceMs: number = this.#options.timing.graceMs): void {
    const dueMs = this.#options.nowMs() + graceMs;
    for (const list of lists) {
      if (this.#waiting.has(list.id) || pieceCountOf(list) === 0) continue;
      if (this.#waiting.size >= WAITING_COUNT_MAX) {
        this.#leftCount += 1;
        continue;
      }
      this.#waiting.set(list.id, { list, attemptCount: 0, dueMs });
      this.#waitingBytes += list.sizeBytes;
    }
  }

  /** Collects a batch of the bodies that are due, and returns false when none was. */
  async turn(): Promise<boolean> {
    if (this.#options.nowMs() < this.#restUntilMs) return false;
    const due = this.#due(this.#batchCount);
    if (due.length === 0) return false;
    try {
      await this.#collect(due);
      this.#failedTurnCount = 0;
      this.#batchCount = Math.min(2 * this.#batchCount, BATCH_COUNT_MAX);
    } catch (error) {
      this.#options.onFailure(error);
      this.#failureCount += 1;
      this.#failedTurnCount += 1;
      this.#batchCount = 1;
      const [only] = due;
      if (only !== undefined && due.length === 1) this.#postpone(only);
      this.#restUntilMs = this.#afterFailures(this.#failedTurnCount);
    }
    return true;
  }

  #due(countMax: number): Waiting[] {
    const nowMs = this.#options.nowMs();
    const due: Waiting[] = [];
    for (const waiting of this.#waiting.values()) {
      if (waiting.dueMs <= nowMs) due.push(waiting);
      if (due.length === countMax) break;
    }
    return due;
  }

  async #collect(due: readonly Waiting[]): Promise<void> {
    const { vault, holds, leases, timing, nowMs } = this.#options;
    const leased = await leases.read();
    const bodies = await findBodies(
      vault,
      due.map(({ list }) => list),
    );
    const unreferenced = await findUnreferenced(vault, bodies);
    const byId = new Map(unreferenced.map((body) => [body.list.id, body]));
    const held = holds.byName();
    for (const waiting of due) {
      const body = byId.get(waiting.list.id);
      // The body is gone already, or something refers to it.
      if (body === undefined) this.#end(waiting);
      else if (isHeld(body, held) || isHeld(body, leased)) {
        this.#waiting.set(waiting.list.id, { ...waiting, dueMs: nowMs() + timing.leaseRefreshMs });
      } else await this.#deletePieces(waiting, body);
    }
  }

  /** The first piece is deleted last: after a crash in between, it shows the sweep who owned the rest. */
  async #deletePieces(waiting: Waiting, { list, leftPart }: UnreferencedBody): Promise<void> {
    const { vault, isBusy } = this.#options;
    const pieceCount = pieceCountOf(list);
    const others = Array.from({ length: pieceCount - 1 }, (_, at) => pieceCount - 1 - at);
    await inParallel(others, isBusy() ? 1 : DELETE_COUNT_MAX, async (index) => {
      await vault.delete(PIECES, pieceKey(list.id, index));
    });
    if (leftPart !== null) await vault.delete(PARTS, leftPart);
    await vault.delete(PIECES, pieceKey(list.id, 0));
    this.#collectedCount += pieceCount;
    this.#collectedBytes += list.sizeBytes;
    this.#end(waiting);
  }

  #end({ list }: Waiting): void {
    if (this.#waiting.delete(list.id)) this.#waitingBytes -= list.sizeBytes;
  }

  /**
   * Only a body that was alone in its batch is known to be the one in trouble. It moves to the end of the queue, or it
   * would be the first again as soon as the collector has rested.
   */
  #postpone({ list, attemptCount }: Waiting): void {
    this.#waiting.delete(list.id);
    const dueMs = this.#afterFailures(attemptCount + 1);
    this.#waiting.set(list.id, { list, attemptCount: attemptCount + 1, dueMs });
  }

  #afterFailures(failureCount: number): number {
    const { nowMs, timing } = this.#options;
    const doubled = timing.turnEveryMs * 2 ** Math.min(failureCount - 1, RETRY_DOUBLING_COUNT_MAX);
    return nowMs() + Math.min(doubled, RETRY_MS_MAX);
  }
}
