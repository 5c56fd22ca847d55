/** Virtual time: a binary heap of actions by (time, order of scheduling), so that equal times keep their order. */
interface Scheduled {
  readonly timeUs: number;
  readonly sequence: number;
  readonly action: () => void;
}

export class EventQueue {
  readonly #heap: Scheduled[] = [];
  #sequence = 0;
  nowUs = 0;

  get size(): number {
    return this.#heap.length;
  }

  schedule(delayUs: number, action: () => void): void {
    const heap = this.#heap;
    const item = { timeUs: this.nowUs + Math.max(0, delayUs), sequence: this.#sequence++, action };
    let index = heap.length;
    heap.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] as Scheduled;
      if (!isBefore(item, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = item;
  }

  /** Runs the next action; returns false if none is due up to `untilUs`. */
  step(untilUs: number): boolean {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.timeUs > untilUs) return false;
    const last = heap.pop() as Scheduled;
    if (heap.length > 0) this.#sink(last);
    this.nowUs = first.timeUs;
    first.action();
    return true;
  }

  #sink(item: Scheduled): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Scheduled)) child += 1;
      if (!isBefore(heap[child] as Scheduled, item)) break;
      heap[index] = heap[child] as Scheduled;
      index = child;
    }
    heap[index] = item;
  }
}

function isBefore(a: Scheduled, b: Scheduled): boolean {
  return a.timeUs < b.timeUs || (a.timeUs === b.timeUs && a.sequence < b.sequence);
}
