/**
 * Decides when failed reads close a drive. A bad sector is no reason to: its pod gets the shard from the others. A cable,
 * controller or enclosure that resets fails reads all over the drive; closing it tells everyone at once that nothing on it
 * answers, and opening it again checks what it holds.
 *
 * Counts places and not reads, because clients may ask for an object on a bad sector hundreds of times a second. A drive
 * retries a bad sector for up to seconds before it gives up, so bad sectors alone rarely reach this many places in time.
 */

const PLACE_BYTES = 65_536;
export const FAILED_PLACES_MAX = 16;
const WINDOW_SECONDS = 10;

export class ReadErrorBudget {
  /** When a read of each place failed last, oldest first. Never more than the maximum. */
  readonly #failedMs = new Map<string, number>();
  #cause = "";

  note(file: string, offset: number, cause: string, nowMs: number): void {
    if (this.excess(nowMs) !== null) return;
    const place = `${file} ${Math.floor(offset / PLACE_BYTES)}`;
    this.#failedMs.delete(place);
    this.#failedMs.set(place, nowMs);
    this.#cause = cause;
  }

  clear(): void {
    this.#failedMs.clear();
  }

  /** Why the drive should be closed, or null. */
  excess(nowMs: number): string | null {
    for (const [place, atMs] of this.#failedMs) {
      if (nowMs - atMs < WINDOW_SECONDS * 1000) break;
      this.#failedMs.delete(place);
    }
    if (this.#failedMs.size < FAILED_PLACES_MAX) return null;
    return `reads fail with ${this.#cause}: ${this.#failedMs.size} places in ${WINDOW_SECONDS} s`;
  }
}
