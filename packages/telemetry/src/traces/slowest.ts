import { HOUR_MS } from "@stashlight/contracts/time";

const SLOT_MS = 5 * 60_000;

interface Entry<Item> {
  readonly item: Item;
  readonly durationMs: number;
  readonly endedMs: number;
}

interface Slot<Item> {
  readonly startMs: number;
  /** Slowest first. */
  readonly entries: Entry<Item>[];
}

/**
 * Slowest items of the last hour. Each five-minute period keeps its own slowest, and the hour's are among them. Only in
 * the period in which the hour began may slower items from before the hour have displaced some. An item that is not
 * among the slowest of its period costs one comparison.
 */
export class SlowestOfHour<Item> {
  readonly #capacity: number;
  readonly #onDrop: (item: Item) => void;
  #slots: Slot<Item>[] = [];

  constructor(capacity: number, onDrop: (item: Item) => void) {
    this.#capacity = capacity;
    this.#onDrop = onDrop;
  }

  /** Returns true if the item is kept for now. `endedMs` must not decrease between calls. */
  offer(item: Item, durationMs: number, endedMs: number): boolean {
    const { entries } = this.#slotAt(endedMs);
    const isFull = entries.length >= this.#capacity;
    if (isFull && durationMs <= (entries.at(-1)?.durationMs ?? 0)) return false;
    const place = entries.findIndex((other) => other.durationMs < durationMs);
    entries.splice(place === -1 ? entries.length : place, 0, { item, durationMs, endedMs });
    const dropped = isFull ? entries.pop() : undefined;
    if (dropped) this.#onDrop(dropped.item);
    return true;
  }

  /** Returns the items of the hour before `nowMs`, slowest first. */
  list(nowMs: number): Item[] {
    this.#dropBefore(nowMs - HOUR_MS);
    return this.#slots
      .flatMap(({ entries }) => entries)
      .filter(({ endedMs }) => endedMs > nowMs - HOUR_MS)
      .sort((one, other) => other.durationMs - one.durationMs)
      .slice(0, this.#capacity)
      .map(({ item }) => item);
  }

  #slotAt(nowMs: number): Slot<Item> {
    const last = this.#slots.at(-1);
    if (last && nowMs < last.startMs + SLOT_MS) return last;
    this.#dropBefore(nowMs - HOUR_MS);
    const slot = { startMs: nowMs, entries: [] };
    this.#slots.push(slot);
    return slot;
  }

  #dropBefore(timeMs: number): void {
    const isOver = ({ startMs }: Slot<Item>) => startMs + SLOT_MS <= timeMs;
    if (!this.#slots.some(isOver)) return;
    const [kept, over] = [this.#slots.filter((slot) => !isOver(slot)), this.#slots.filter(isOver)];
    this.#slots = kept;
    for (const { item } of over.flatMap(({ entries }) => entries)) this.#onDrop(item);
  }
}
