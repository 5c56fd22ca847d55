/**
 * Admits, queues and sheds one kind of work. The clock is an argument.
 *
 *     judged -- would be served in time --> expected -- its body is here --> waiting --> running --> done
 *        '-- would not ------------------> shed                                '-- too late --> shed
 *
 * Work is shed when it arrives rather than after it has waited, so a refused client gets its answer at once. A queue
 * may fill for a burst, up to what is served within SERVE_WITHIN_MS. A queue that has not been empty for STANDING_MS is
 * not a burst (CoDel's criterion): from then on it is limited to DELAY_TARGET_MS, which keeps the vault busy without
 * useless waiting. Both rules apply per access key, so a key that floods the vault shortens only its own queue.
 *
 * The number of running items is what the vault completes within SERVICE_MS_MAX (Little's law). If items do not slow
 * each other down, as with a drive that is slow to sync, the rate rises with the number of running items, which grows
 * to the maximum. If items wait for each other, running more would only slow each one down.
 */
import { DrainRate } from "./drain-rate.ts";
import { FairQueue, type FairQueueLimits, type Queued } from "./fair-queue.ts";

/** A client gets its answer, success or refusal, within this time. */
export const SERVE_WITHIN_MS = 2000;
/** Time for running work; the rest of SERVE_WITHIN_MS is for waiting. */
export const SERVICE_MS_MAX = 1500;
/** Queue delay in a lasting overload: enough to keep every slot busy, and hardly noticeable. */
export const DELAY_TARGET_MS = 200;
/** Longer than a burst caused by clients' own pauses, shorter than a client's patience. */
export const STANDING_MS = 500;
/** Short, because a stalled vault may recover at any moment. */
const RETRY_AFTER_SECONDS_MAX = 10;
/** A body that takes longer to arrive belongs to a slow client, whose work will not begin soon. */
const EXPECTED_MS_MAX = 1000;

export type ShedReason = "too late" | "queue delay" | "queue full" | "memory";

export interface LaneLimits extends FairQueueLimits {
  /** Number of items that run at a time even in the slowest vault. */
  readonly slotsMin: number;
  readonly slotsMax: number;
  /** Bytes of bodies that may run at a time; a larger body runs alone. */
  readonly bytesMax: number;
}

export interface Work {
  readonly key: string;
  readonly cost: number;
  readonly bytes: number;
  /** Part of an upload in progress, which is not shed while it waits. */
  readonly isPatient: boolean;
}

/** Admitted work whose body is on its way. */
export interface Expected {
  readonly key: string;
  readonly cost: number;
  readonly judgedMs: number;
  isCounted: boolean;
}

interface Waiting<Item> {
  readonly work: Work;
  readonly sinceMs: number;
  readonly item: Item;
}

export class Lane<Item> {
  readonly #limits: LaneLimits;
  readonly #queue: FairQueue<Waiting<Item>>;
  readonly #drain = new DrainRate();
  /** In order of arrival; entries that no longer count are dropped when they reach the front. */
  #expected: Expected[] = [];
  readonly #expectedCost = new Map<string, number>();
  /** Start of the current period in which a key always had waiting or expected work. */
  readonly #busySinceMs = new Map<string, number>();
  #running = 0;
  #runningBytes = 0;
  #runningCost = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
    this.#queue = new FairQueue(limits);
  }

  get waitingCount(): number {
    return this.#queue.count;
  }

  get runningCount(): number {
    return this.#running;
  }

  #slotCount(nowMs: number): number {
    const { slotsMin, slotsMax } = this.#limits;
    const inTime = Math.floor((this.#drain.at(nowMs)?.countPerMs ?? 0) * SERVICE_MS_MAX);
    return Math.max(slotsMin, Math.min(slotsMax, inTime));
  }

  #noteLoad(nowMs: number): void {
    this.#drain.observe(this.#queue.count > 0 || this.#running >= this.#limits.slotsMin, nowMs);
  }

  /** Returns the reason to shed work of this key; null if it would be served in time. */
  judge(key: string, cost: number, nowMs: number): Exclude<ShedReason, "memory"> | null {
    this.#forgetSlow(nowMs);
    const backlog = this.#backlog();
    if (backlog.size === 0 && this.#running < this.#limits.slotsMin) return null;
    if (!this.#queue.hasRoomFor(key)) return "queue full";
    const own = backlog.get(key) ?? 0;
    const rate = this.#drain.at(nowMs);
    if (rate === null) return null;
    // Keys alternate, so each other key gets as many items served as this one before this work begins.
    let ahead = own;
    for (const [other, waiting] of backlog) if (other !== key) ahead += Math.min(waiting, own + cost);
    const doneMs = (this.#runningCost + ahead + cost) / rate.costPerMs;
    // A key without waiting work gets its turn soon even in a slow vault; otherwise its work is shed later.
    if (doneMs > SERVE_WITHIN_MS) return own > 0 ? "too late" : null;
    const waitMs = ahead / rate.costPerMs;
    const busySinceMs = this.#busySinceMs.get(key) ?? nowMs;
    const isStanding = nowMs - busySinceMs > STANDING_MS;
    return own > 0 && isStanding && waitMs > DELAY_TARGET_MS ? "queue delay" : null;
  }

  /** Counts work as waiting until its body arrives or is called off. */
  expect(key: string, cost: number, nowMs: number): Expected {
    const expected = { key, cost, judgedMs: nowMs, isCounted: true };
    this.#expected.push(expected);
    this.#expectedCost.set(key, (this.#expectedCost.get(key) ?? 0) + cost);
    this.#noteBusy(key, nowMs);
    return expected;
  }

  /** Called when the body has arrived or will never arrive. */
  callOff(expected: Expected): void {
    this.#discount(expected);
    while (this.#expected[0]?.isCounted === false) this.#expected.shift();
    this.#noteIdle(expected.key);
  }

  push(work: Work, item: Item, nowMs: number): void {
    this.#queue.push({ key: work.key, cost: work.cost, item: { work, sinceMs: nowMs, item } });
    this.#noteBusy(work.key, nowMs);
    this.#noteLoad(nowMs);
  }

  /** Takes the items that can begin now, with the time that each has waited. */
  begin(nowMs: number): { readonly item: Item; readonly waitedMs: number }[] {
    const begun: { item: Item; waitedMs: number }[] = [];
    const slotCount = this.#slotCount(nowMs);
    for (;;) {
      const next = this.#queue.take((queued) => this.#running < slotCount && this.#hasBytesFor(queued));
      if (next === null) break;
      const { item, work, sinceMs } = next.item;
      this.#running += 1;
      this.#runningBytes += work.bytes;
      this.#runningCost += work.cost;
      this.#noteIdle(next.key);
      begun.push({ item, waitedMs: Math.max(0, nowMs - sinceMs) });
    }
    this.#noteLoad(nowMs);
    return begun;
  }

  #hasBytesFor({ item: { work } }: Queued<Waiting<Item>>): boolean {
    return this.#runningBytes === 0 || this.#runningBytes + work.bytes <= this.#limits.bytesMax;
  }

  end({ cost, bytes }: Work, nowMs: number): void {
    this.#drain.done(cost);
    this.#running -= 1;
    this.#runningBytes -= bytes;
    this.#runningCost -= cost;
    this.#noteLoad(nowMs);
  }

  /** Removes items that have waited too long, and returns them. */
  expire(nowMs: number): Item[] {
    const isLate = ({ item: { work, sinceMs } }: Queued<Waiting<Item>>) =>
      !work.isPatient && nowMs - sinceMs >= SERVE_WITHIN_MS;
    const late = this.#queue.remove(isLate);
    for (const { key } of late) this.#noteIdle(key);
    this.#noteLoad(nowMs);
    return late.map(({ item }) => item.item);
  }

  /** Whole seconds until everything waiting has been served. */
  retryAfterSeconds(nowMs: number): number {
    const backlog = [...this.#backlog().values()].reduce((sum, cost) => sum + cost, 0);
    const rate = this.#drain.at(nowMs);
    if (rate === null) return 1;
    const seconds = Math.ceil(backlog / Math.max(rate.costPerMs, Number.EPSILON) / 1000);
    return Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(1, seconds));
  }

  #backlog(): Map<string, number> {
    const backlog = this.#queue.costs();
    for (const [key, cost] of this.#expectedCost) backlog.set(key, (backlog.get(key) ?? 0) + cost);
    return backlog;
  }

  #forgetSlow(nowMs: number): void {
    for (let first = this.#expected[0]; first !== undefined; first = this.#expected[0]) {
      if (first.isCounted && nowMs - first.judgedMs < EXPECTED_MS_MAX) return;
      this.#expected.shift();
      this.#discount(first);
      this.#noteIdle(first.key);
    }
  }

  #discount(expected: Expected): void {
    if (!expected.isCounted) return;
    expected.isCounted = false;
    const left = (this.#expectedCost.get(expected.key) ?? 0) - expected.cost;
    if (left > 0) this.#expectedCost.set(expected.key, left);
    else this.#expectedCost.delete(expected.key);
  }

  #noteBusy(key: string, nowMs: number): void {
    if (!this.#busySinceMs.has(key)) this.#busySinceMs.set(key, nowMs);
  }

  #noteIdle(key: string): void {
    if (!this.#expectedCost.has(key) && !this.#queue.has(key)) this.#busySinceMs.delete(key);
  }
}
