/**
 * Queue of records of one class that found no space in the log: removals, promises or horizons. They wait for
 * compaction and for the space that removals free (packages/shard-log/src/space-limits.ts), and are written in order of
 * arrival.
 */

/** Tries to append; returns true if the log accepted the record or refused it permanently. */
export type Attempt = () => boolean;

interface Waiting {
  readonly attempt: Attempt;
  /** Called when the record has waited for too long; null if it waits without a limit. */
  readonly giveUp: (() => void) | null;
  waitedUs: number;
}

const FIRST_DELAY_US = 20_000;
const DELAY_US_MAX = 2_000_000;
/** Clients wait at most this long for a delete (PUT_DEADLINE_MS). */
const PATIENCE_US = 8_000_000;
/** Limit on waiting tombstones; beyond it the client is answered at once that there is no space. */
const WAITING_COUNT_MAX = 1024;

export class SpaceQueue {
  readonly #after: (delayUs: number, action: () => void) => void;
  readonly #onWait: () => void;
  #waiting: Waiting[] = [];
  #delayUs = FIRST_DELAY_US;
  #isTimerSet = false;

  /** `onWait` is called whenever the first removal still finds no space. */
  constructor(after: (delayUs: number, action: () => void) => void, onWait: () => void) {
    this.#after = after;
    this.#onWait = onWait;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  submit(attempt: Attempt, giveUp: (() => void) | null): void {
    if (this.#waiting.length === 0 && attempt()) return;
    if (giveUp !== null && this.#waiting.length >= WAITING_COUNT_MAX) giveUp();
    else {
      this.#waiting.push({ attempt, giveUp, waitedUs: 0 });
      this.#onWait();
      this.#setTimer();
    }
  }

  /** Stops all attempts. */
  end(): void {
    this.#waiting = [];
  }

  #setTimer(): void {
    if (this.#isTimerSet || this.#waiting.length === 0) return;
    this.#isTimerSet = true;
    const delayUs = this.#delayUs;
    this.#after(delayUs, () => {
      this.#isTimerSet = false;
      this.#tryAgain(delayUs);
    });
  }

  #tryAgain(waitedUs: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const entered = waiting.findIndex(({ attempt }) => !attempt());
    const left = entered === -1 ? [] : waiting.slice(entered);
    // Once a record was written there is space, so the others are tried again soon.
    const isMoving = entered !== 0 || left.length === 0;
    this.#delayUs = isMoving ? FIRST_DELAY_US : Math.min(DELAY_US_MAX, this.#delayUs * 2);
    for (const each of left) each.waitedUs += waitedUs;
    const isOver = ({ giveUp, waitedUs: us }: Waiting) => giveUp !== null && us >= PATIENCE_US;
    this.#waiting = [...left.filter((each) => !isOver(each)), ...this.#waiting];
    if (this.#waiting.length > 0) this.#onWait();
    this.#setTimer();
    for (const each of left) if (isOver(each)) each.giveUp?.();
  }
}
