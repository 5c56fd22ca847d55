import type { ShardStore } from "@stashlight/shard-store";
import type { Random } from "../random.ts";
import type { Counters } from "../world/counters.ts";

/** Checkpoints and compaction in turns, every so many appends, as an agent does when it is idle. */
export class Upkeep {
  readonly #counters: Counters;
  readonly #every: number;
  #appendsLeft: number;
  #isCompactionNext = true;

  constructor(random: Random, counters: Counters) {
    this.#counters = counters;
    this.#every = 4 + random.below(40);
    this.#appendsLeft = this.#every;
  }

  appended(store: ShardStore): void {
    this.#appendsLeft -= 1;
    // Whenever there is news, so that a cut meets statements of every moment.
    store.writeOutcomes();
    if (this.#appendsLeft > 0) return;
    this.#appendsLeft = this.#every;
    const { log } = store;
    if (this.#isCompactionNext) {
      log.compact((_error, hasEmptied) => {
        if (hasEmptied) this.#counters.add("log segment compacted");
      });
    } else {
      log.checkpoint((error) => {
        if (error === null) this.#counters.add("log checkpoint");
      });
    }
    this.#isCompactionNext = !this.#isCompactionNext;
  }
}
