/**
 * Decides when failed reads close a drive. A bad sector is not enough: its pod gets the shard from the others. But a
 * cable, controller or enclosure that resets fails reads all over the drive. Closing the drive informs every node at
 * once that none of its shards can be read, and opening it again checks its contents.
 *
 * Counts places rather than reads, because clients may ask for an object on a bad sector hundreds of times per second.
 * A drive retries a bad sector for up to seconds before it gives up, so bad sectors alone rarely reach this many places
 * in time.
 */
import { MINUTE_MS } from "@stashlight/contracts/time";

const PLACE_BYTES = 65_536;
export const FAILED_PLACES_MAX = 16;
const WINDOW_SECONDS = 10;
/** Longer than a pod waits before it rebuilds a shard that it cannot read. */
const BAD_PLACE_KNOWN_MS = 10 * MINUTE_MS;
/** Number of bad places to remember, 64 MiB in total. Further ones of a drive count again. */
export const BAD_PLACES_MAX = 1024;

export class ReadErrorBudget {
  /** Time of the last failed read of each place, oldest first; at most `FAILED_PLACES_MAX` places. */
  readonly #failedMs = new Map<string, number>();
  /**
   * Places that had failed before the drive was reopened and the rest of it answered, with the time of the reopening,
   * oldest first.
   */
  readonly #badSinceMs = new Map<string, number>();
  #cause = "";

  note(file: string, offset: number, cause: string, nowMs: number): void {
    if (this.excess(nowMs) !== null) return;
    const place = `${file} ${Math.floor(offset / PLACE_BYTES)}`;
    if (nowMs - (this.#badSinceMs.get(place) ?? Number.NEGATIVE_INFINITY) < BAD_PLACE_KNOWN_MS) return;
    this.#failedMs.delete(place);
    this.#failedMs.set(place, nowMs);
    this.#cause = cause;
  }

  /**
   * Called once the drive has been opened. Places that failed before count as bad sectors and no longer towards the
   * budget, or the drive would be closed repeatedly before its pod can rebuild their shards.
   */
  opened(nowMs: number): void {
    for (const place of this.#failedMs.keys()) {
      this.#badSinceMs.delete(place);
      this.#badSinceMs.set(place, nowMs);
    }
    this.#failedMs.clear();
    for (const oldest of this.#badSinceMs.keys()) {
      if (this.#badSinceMs.size <= BAD_PLACES_MAX) break;
      this.#badSinceMs.delete(oldest);
    }
  }

  /** Returns the reason to close the drive, or null. */
  excess(nowMs: number): string | null {
    for (const [place, atMs] of this.#failedMs) {
      if (nowMs - atMs < WINDOW_SECONDS * 1000) break;
      this.#failedMs.delete(place);
    }
    if (this.#failedMs.size < FAILED_PLACES_MAX) return null;
    return `reads fail with ${this.#cause}: ${this.#failedMs.size} places in ${WINDOW_SECONDS} s`;
  }
}
