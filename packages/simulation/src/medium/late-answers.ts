import type { Random } from "@stashlight/stats/forkable-random";
import type { EventQueue } from "../event-queue.ts";
import type { MediumAnswers } from "./medium.ts";

/**
 * Delivers a medium's answers to the boot that asked, after a delay: longer on a slow drive, and not at all while it
 * hangs.
 */
export class LateAnswers {
  readonly #queue: EventQueue;
  readonly #random: Random;
  #answers: MediumAnswers | null = null;
  #boot = 0;
  #held: (() => void)[] = [];
  #isHung = false;
  slowFactor = 1;

  constructor(queue: EventQueue, random: Random) {
    this.#queue = queue;
    this.#random = random;
  }

  /** Directs answers to this boot from now on. */
  begin(answers: MediumAnswers): void {
    this.#answers = answers;
  }

  /** Drops pending answers. */
  end(): void {
    this.#boot += 1;
    this.#answers = null;
    this.#held = [];
  }

  setHung(isHung: boolean): void {
    this.#isHung = isHung;
    if (!isHung) for (const action of this.#held.splice(0)) action();
  }

  after(delayUs: number, action: (answers: MediumAnswers) => void): void {
    const boot = this.#boot;
    const run = () => {
      if (boot !== this.#boot || this.#answers === null) return;
      if (this.#isHung) this.#held.push(run);
      else action(this.#answers);
    };
    const jitter = 0.5 + this.#random.next();
    this.#queue.schedule(delayUs * this.slowFactor * jitter, run);
  }
}
