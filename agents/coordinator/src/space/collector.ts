/**
 * Deletes the pieces of deleted, replaced or abandoned bodies, once their grace has expired and no request holds them.
 * Callers may add a body on suspicion: the collector checks that nothing refers to it just before it deletes the
 * pieces. Collecting a body twice is harmless.
 *
 * A body waits until its collection has succeeded. After a failure the whole collector rests, longer each time, and
 * then takes one body, two, four and so on: this spares a vault in trouble, and one body that cannot be deleted does
 * not block the others. The sweep finds the bodies that did not fit into the queue, and those in the queue of a process
 * that ended.
 */
import { PARTS } from "../records/multipart-records.ts";
import { PIECES, type PieceList, pieceKey } from "../records/pieces.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { findBodies, findUnreferenced, isHeld, pieceCountOf, type UnreferencedBody } from "./bodies.ts";
import { inParallel } from "./in-parallel.ts";
import type { Holds } from "./large-object-holds.ts";
import type { LeaseBook } from "./lease-book.ts";
import type { SpaceTiming } from "./timing.ts";

export interface CollectorOptions {
  readonly vault: VaultVerbs;
  readonly holds: Holds;
  readonly leases: LeaseBook;
  readonly timing: SpaceTiming;
  readonly nowMs: () => number;
  /** True if clients keep the vault busy, so that pieces should be deleted one at a time. */
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
  /** Number of failed rounds since the last success. */
  #failedTurnCount = 0;
  /** Number of bodies for the next round. */
  #batchCount = BATCH_COUNT_MAX;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Number and bytes of pieces deleted since this process began. */
  get collectedCount(): number {
    return this.#collectedCount;
  }

  get collectedBytes(): number {
    return this.#collectedBytes;
  }

  /** Number of failed rounds since this process began. */
  get failureCount(): number {
    return this.#failureCount;
  }

  /** Number of bodies that did not fit into the queue. */
  get leftCount(): number {
    return this.#leftCount;
  }

  isWaiting(bodyId: string): boolean {
    return this.#waiting.has(bodyId);
  }

  /** Queues bodies that may be garbage; they are kept until the grace has passed. */
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

  /** Collects a batch of due bodies; returns false if none was due. */
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
      // The body is already gone, or it is referenced.
      if (body === undefined) this.#end(waiting);
      else if (isHeld(body, held) || isHeld(body, leased)) {
        this.#waiting.set(waiting.list.id, { ...waiting, dueMs: nowMs() + timing.leaseRefreshMs });
      } else await this.#deletePieces(waiting, body);
    }
  }

  /** Deletes the first piece last: after a crash in between, it shows the sweep who owned the rest. */
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
   * Postpones a body that was alone in its batch, and so is known to be the one in trouble. It moves to the end of the
   * queue, so that it does not come first again after the rest.
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
