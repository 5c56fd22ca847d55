/** The growth of a drive's live bytes over the last day or since its boot, with one point per quarter of an hour. */
import { DAY_MS } from "@stashlight/contracts/time/duration";

const POINT_EVERY_MS = 900_000;
const WINDOW_MS = DAY_MS;
const POINT_COUNT_MAX = WINDOW_MS / POINT_EVERY_MS + 1;

interface Point {
  readonly atMs: number;
  readonly liveBytes: number;
}

/** Negative if more was deleted than written. */
export interface Growth {
  readonly bytesPerSecond: number;
  readonly overSeconds: number;
}

export class LiveGrowth {
  readonly #points: Point[] = [];
  #newest: Point | null = null;

  note(liveBytes: number, atMs: number): void {
    this.#newest = { atMs, liveBytes };
    const last = this.#points.at(-1);
    if (last !== undefined && atMs - last.atMs < POINT_EVERY_MS) return;
    this.#points.push(this.#newest);
    if (this.#points.length > POINT_COUNT_MAX) this.#points.shift();
  }

  /** Null until there is an old enough point: a boot's first reads and repairs are no trend. */
  growth(): Growth | null {
    const [first] = this.#points;
    if (first === undefined || this.#newest === null) return null;
    const overMs = this.#newest.atMs - first.atMs;
    if (overMs < POINT_EVERY_MS) return null;
    const bytesPerSecond = (this.#newest.liveBytes - first.liveBytes) / (overMs / 1000);
    return { bytesPerSecond, overSeconds: overMs / 1000 };
  }
}
