/**
 * Virtual time for millions of messages: a binary heap of (time, order of scheduling), whose times are in plain arrays
 * so that sifting touches no objects.
 */
export interface Happening {
  happen(): void;
}

export class EventHeap {
  #timesUs = new Float64Array(1024);
  #sequences = new Float64Array(1024);
  #happenings: Happening[] = [];
  #size = 0;
  #sequence = 0;
  nowUs = 0;

  schedule(delayUs: number, happening: Happening): void {
    if (this.#size === this.#timesUs.length) this.#grow();
    const timeUs = this.nowUs + Math.max(0, delayUs);
    let index = this.#size++;
    const times = this.#timesUs;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      // An event scheduled earlier has a lower sequence, so it stays above one with an equal time.
      if ((times[parent] as number) <= timeUs) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#put(index, timeUs, this.#sequence++, happening);
  }

  /** Runs the next due event; returns false if none is due up to `untilUs`. */
  step(untilUs: number): boolean {
    if (this.#size === 0 || (this.#timesUs[0] as number) > untilUs) return false;
    this.nowUs = this.#timesUs[0] as number;
    const happening = this.#happenings[0] as Happening;
    this.#size -= 1;
    const last = this.#size;
    if (last > 0) this.#sink(last);
    this.#happenings.length = last;
    happening.happen();
    return true;
  }

  #sink(from: number): void {
    const times = this.#timesUs;
    const timeUs = times[from] as number;
    const sequence = this.#sequences[from] as number;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= this.#size) break;
      if (
        child + 1 < this.#size &&
        this.#isBefore(child + 1, times[child] as number, this.#sequences[child] as number)
      )
        child += 1;
      if (!this.#isBefore(child, timeUs, sequence)) break;
      this.#move(child, index);
      index = child;
    }
    this.#put(index, timeUs, sequence, this.#happenings[from] as Happening);
  }

  #isBefore(index: number, timeUs: number, sequence: number): boolean {
    const own = this.#timesUs[index] as number;
    return own < timeUs || (own === timeUs && (this.#sequences[index] as number) < sequence);
  }

  #move(from: number, to: number): void {
    this.#timesUs[to] = this.#timesUs[from] as number;
    this.#sequences[to] = this.#sequences[from] as number;
    this.#happenings[to] = this.#happenings[from] as Happening;
  }

  #put(index: number, timeUs: number, sequence: number, happening: Happening): void {
    this.#timesUs[index] = timeUs;
    this.#sequences[index] = sequence;
    this.#happenings[index] = happening;
  }

  #grow(): void {
    const times = new Float64Array(this.#timesUs.length * 2);
    times.set(this.#timesUs);
    this.#timesUs = times;
    const sequences = new Float64Array(this.#sequences.length * 2);
    sequences.set(this.#sequences);
    this.#sequences = sequences;
  }
}
