/**
 * Brings a log to rest, for its end or a pause: no work begins any more, the work in progress ends, and all accepted
 * records become durable. Only then is its state complete enough to be saved.
 */
import type { Volume } from "./volume.ts";
import type { Writer } from "./writer.ts";

/** Number of flushes after which a log that is still busy counts as restless. */
const FLUSHES_MAX = 16;
const RESTLESS = "its log does not come to rest";

export class Settling {
  readonly #volume: Volume;
  readonly #writer: Writer;
  readonly #isBusy: () => boolean;
  #done: ((refusal: string | null) => void) | null;
  #flushesLeft = FLUSHES_MAX;

  /** The volume ends or pauses. `isBusy` returns true while compaction or recycling is in progress. */
  constructor(volume: Volume, writer: Writer, isBusy: () => boolean, done: (refusal: string | null) => void) {
    this.#volume = volume;
    this.#writer = writer;
    this.#isBusy = isBusy;
    this.#done = done;
    volume.onStepped = () => this.#step();
    this.#flush();
  }

  #flush(): void {
    if (this.#flushesLeft-- === 0) this.#end(RESTLESS);
    else this.#writer.flush(() => this.#step());
  }

  #step(): void {
    const volume = this.#volume;
    if (volume.poison !== null || volume.isClosed) this.#end("its log accepts no more writes");
    else if (this.#done === null || this.#isBusy() || volume.isPending || this.#writer.isWriting) return;
    else if (this.#writer.isIdle) this.#end(null);
    else this.#flush();
  }

  /** Gives up, if the log has not come to rest by now. */
  giveUp(): void {
    this.#end(RESTLESS);
  }

  #end(refusal: string | null): void {
    const done = this.#done;
    if (done === null) return;
    this.#done = null;
    this.#volume.onStepped = () => {};
    done(refusal);
  }
}
