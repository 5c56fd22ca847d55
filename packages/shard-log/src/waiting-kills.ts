/** Records that are dead for callers, but whose purges have not been placed in the log yet. */
import type { LogDone, LogError } from "./errors.ts";
import type { Entry, WaitingKill } from "./segment.ts";

export class WaitingKills {
  #kills: WaitingKill[] = [];

  get count(): number {
    return this.#kills.length;
  }

  /** Returns the records that are kept until their purge has been placed. */
  entries(): Entry[] {
    return this.#kills.map(({ entry }) => entry);
  }

  /** Adds entries; the last of them gets `done`. */
  add(entries: readonly Entry[], belowLsn: number, done: LogDone | null): void {
    entries.forEach((entry, at) => {
      const kill: WaitingKill = { entry, belowLsn, done: at === entries.length - 1 ? done : null };
      entry.waitingKill = kill;
      this.#kills.push(kill);
    });
  }

  /** Places kills in order of arrival until there is no space for the next; the others keep waiting. */
  place(placeOne: (kill: WaitingKill) => boolean): void {
    let placed = 0;
    try {
      for (const kill of this.#kills) {
        if (!placeOne(kill)) break;
        kill.entry.waitingKill = null;
        placed++;
      }
    } finally {
      this.#kills = this.#kills.slice(placed);
    }
  }

  fail(error: LogError): void {
    for (const { done } of this.#kills.splice(0)) done?.(error);
  }
}
