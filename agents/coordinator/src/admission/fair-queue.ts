/**
 * A queue in which access keys take turns by deficit round robin: in each round a key may spend one quantum, and
 * carries over what it cannot spend yet. So every waiting key gets the same share of the work, regardless of the size
 * and number of its requests. Within a key, items keep their order of arrival.
 */
import assert from "node:assert/strict";

export interface Queued<Item> {
  readonly key: string;
  /** Cost, in the same unit as the quantum; above 0. */
  readonly cost: number;
  readonly item: Item;
}

interface Flow<Item> {
  readonly waiting: Queued<Item>[];
  cost: number;
  /** Cost that the key may still spend in this round. */
  deficit: number;
  hasQuantum: boolean;
}

export interface FairQueueLimits {
  readonly quantum: number;
  readonly countMax: number;
  readonly countPerKeyMax: number;
}

export class FairQueue<Item> {
  readonly #limits: FairQueueLimits;
  /** In order of turns; a key without waiting items has no entry. */
  readonly #flows = new Map<string, Flow<Item>>();
  count = 0;

  constructor(limits: FairQueueLimits) {
    assert(limits.quantum > 0);
    this.#limits = limits;
  }

  hasRoomFor(key: string): boolean {
    const { countMax, countPerKeyMax } = this.#limits;
    return this.count < countMax && (this.#flows.get(key)?.waiting.length ?? 0) < countPerKeyMax;
  }

  has(key: string): boolean {
    return this.#flows.has(key);
  }

  /** Total cost of the waiting items, by key. */
  costs(): Map<string, number> {
    return new Map([...this.#flows].map(([key, { cost }]) => [key, cost]));
  }

  /** The caller must have checked hasRoomFor, unless the item must not be refused. */
  push(queued: Queued<Item>): void {
    assert(queued.cost > 0);
    const flow = this.#flows.get(queued.key) ?? { waiting: [], cost: 0, deficit: 0, hasQuantum: false };
    flow.waiting.push(queued);
    flow.cost += queued.cost;
    this.count += 1;
    this.#flows.set(queued.key, flow);
  }

  /**
   * Takes the next item in turn if it fits. An item that does not fit stays next, because otherwise it might never run.
   */
  take(fits: (queued: Queued<Item>) => boolean): Queued<Item> | null {
    for (;;) {
      const [turn] = this.#flows;
      if (turn === undefined) return null;
      const [key, flow] = turn;
      const next = flow.waiting[0] as Queued<Item>;
      if (!flow.hasQuantum) {
        flow.deficit += this.#limits.quantum;
        flow.hasQuantum = true;
      }
      if (flow.deficit >= next.cost) {
        if (!fits(next)) return null;
        flow.deficit -= next.cost;
        this.#removeFirst(key, flow);
        return next;
      }
      this.#endTurn(key, flow);
    }
  }

  #removeFirst(key: string, flow: Flow<Item>): void {
    const [first] = flow.waiting.splice(0, 1);
    flow.cost -= first?.cost ?? 0;
    this.count -= 1;
    if (flow.waiting.length === 0) this.#flows.delete(key);
  }

  #endTurn(key: string, flow: Flow<Item>): void {
    flow.hasQuantum = false;
    this.#flows.delete(key);
    this.#flows.set(key, flow);
  }

  /** Removes and returns all matching items, in no particular order. */
  remove(isToGo: (queued: Queued<Item>) => boolean): Queued<Item>[] {
    const removed: Queued<Item>[] = [];
    for (const [key, flow] of [...this.#flows]) {
      const going = flow.waiting.filter(isToGo);
      if (going.length === 0) continue;
      removed.push(...going);
      const staying = flow.waiting.filter((queued) => !going.includes(queued));
      flow.waiting.splice(0, flow.waiting.length, ...staying);
      flow.cost = staying.reduce((sum, { cost }) => sum + cost, 0);
      this.count -= going.length;
      if (staying.length === 0) this.#flows.delete(key);
    }
    return removed;
  }

  *[Symbol.iterator](): Generator<Queued<Item>> {
    for (const { waiting } of this.#flows.values()) yield* waiting;
  }
}
