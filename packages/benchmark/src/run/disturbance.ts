/** Disturbances of the client itself while it measures: garbage collections, and delays of the event loop. */
import { PerformanceObserver } from "node:perf_hooks";

interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface Disturbances {
  /** Longest of each kind within the requested time; absent if there was none. */
  readonly gcMs?: number;
  readonly loopDelayMs?: number;
}

/** Interval at which the loop is checked: a delay may appear shorter by up to this much. */
const TICK_MS = 2;
/** Shorter delays are normal timer jitter. */
const NOTED_DELAY_MS = 1.5;

export class DisturbanceMonitor {
  readonly #collections: Interval[] = [];
  readonly #delays: Interval[] = [];
  readonly #observer = new PerformanceObserver((list) => this.#note(list.getEntries()));
  #timer: NodeJS.Timeout | null = null;
  #dueAt = 0;

  start(): void {
    this.#observer.observe({ entryTypes: ["gc"] });
    this.#dueAt = performance.now() + TICK_MS;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    this.#observer.disconnect();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Resolves when every past disturbance has been reported; V8 reports collections a few event-loop turns later. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    this.#note(this.#observer.takeRecords());
    this.#tick();
  }

  during(from: number, to: number): Disturbances {
    const gcMs = longest(this.#collections, from, to, ({ from: start, to: end }) => end - start);
    const loopDelayMs = longest(
      this.#delays,
      from,
      to,
      (each) => Math.min(each.to, to) - Math.max(each.from, from),
    );
    return {
      ...(gcMs > 0 ? { gcMs } : {}),
      ...(loopDelayMs >= NOTED_DELAY_MS ? { loopDelayMs } : {}),
    };
  }

  /** Discards disturbances before this time, which no later query covers. */
  forgetBefore(time: number): void {
    for (const intervals of [this.#collections, this.#delays]) {
      const first = intervals.findIndex(({ to }) => to >= time);
      intervals.splice(0, first === -1 ? intervals.length : first);
    }
  }

  #note(entries: readonly { startTime: number; duration: number }[]): void {
    for (const { startTime, duration } of entries) {
      this.#collections.push({ from: startTime, to: startTime + duration });
    }
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#dueAt >= NOTED_DELAY_MS) this.#delays.push({ from: this.#dueAt, to: now });
    this.#dueAt = now + TICK_MS;
  }
}

function longest(
  intervals: readonly Interval[],
  from: number,
  to: number,
  lengthOf: (interval: Interval) => number,
): number {
  let most = 0;
  for (const interval of intervals) {
    if (interval.to > from && interval.from < to) most = Math.max(most, lengthOf(interval));
  }
  return most;
}
