import type { ShardStore } from "@stashlight/shard-store";
import type { Random } from "@stashlight/stats/forkable-random";
import type { Counters } from "../counters.ts";

const TURNS = ["compaction", "attest", "checkpoint"] as const;

/** Alternates compaction, attesting and checkpoints every few appends, like an idle agent. */
export class Upkeep {
  readonly #counters: Counters;
  readonly #every: number;
  #appendsLeft: number;
  #turn = 0;

  constructor(random: Random, counters: Counters) {
    this.#counters = counters;
    this.#every = 4 + random.below(40);
    this.#appendsLeft = this.#every;
  }

  appended(store: ShardStore): void {
    this.#appendsLeft -= 1;
    // Runs at every change, so that power cuts strike writes of outcomes too.
    store.writeOutcomes();
    if (this.#appendsLeft > 0) return;
    this.#appendsLeft = this.#every;
    this.#take(TURNS[this.#turn % TURNS.length] as (typeof TURNS)[number], store);
    this.#turn += 1;
  }

  #take(turn: (typeof TURNS)[number], { log }: ShardStore): void {
    if (turn === "compaction") {
      log.compact((_error, hasEmptied) => {
        if (hasEmptied) this.#counters.add("log segment compacted");
      });
      return;
    }
    const isAttest = turn === "attest";
    const count = (error: unknown) => {
      if (error === null) this.#counters.add(isAttest ? "log attested" : "log checkpoint");
    };
    if (isAttest) log.attest(count);
    else log.checkpoint(count);
  }
}
