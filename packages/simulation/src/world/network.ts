/**
 * The network between nodes: messages are delayed, lost, duplicated and reordered; links break in one direction and
 * clog.
 */

import type { Random } from "@stashlight/stats/forkable-random";
import type { Address, Message } from "@stashlight/write-path";
import type { Counters } from "../counters.ts";
import type { EventQueue } from "../event-queue.ts";
import type { NetworkOptions } from "../options.ts";

export class Network {
  readonly #queue: EventQueue;
  readonly #random: Random;
  readonly #counters: Counters;
  readonly #deliver: (from: Address, to: Address, message: Message) => void;
  readonly #broken = new Set<string>();
  readonly #cloggedUs = new Map<string, number>();
  options: NetworkOptions;
  /** Sees every message; returns its additional delay in microseconds, or infinity if it is lost. */
  interceptor: ((from: Address, to: Address, message: Message) => number) | null = null;

  constructor(
    queue: EventQueue,
    random: Random,
    counters: Counters,
    options: NetworkOptions,
    deliver: (from: Address, to: Address, message: Message) => void,
  ) {
    this.#queue = queue;
    this.#random = random;
    this.#counters = counters;
    this.options = options;
    this.#deliver = deliver;
  }

  /** Breaks one direction only; the other may still work. */
  breakLink(from: Address, to: Address): void {
    this.#broken.add(`${from}>${to}`);
  }

  clogLink(from: Address, to: Address, delayUs: number): void {
    this.#cloggedUs.set(`${from}>${to}`, delayUs);
  }

  healLink(from: Address, to: Address): void {
    this.#broken.delete(`${from}>${to}`);
    this.#cloggedUs.delete(`${from}>${to}`);
  }

  heal(): void {
    this.#broken.clear();
    this.#cloggedUs.clear();
    this.options = { ...this.options, lossProbability: 0, doubleProbability: 0, strayProbability: 0 };
  }

  send(from: Address, to: Address, message: Message): void {
    const random = this.#random;
    const { lossProbability, doubleProbability } = this.options;
    const link = `${from}>${to}`;
    if (this.#broken.size > 0 && this.#broken.has(link)) {
      this.#counters.add("message into a broken link");
      return;
    }
    if (lossProbability > 0 && random.chance(lossProbability)) {
      this.#counters.add("message lost");
      return;
    }
    const heldUpUs = this.interceptor?.(from, to, message) ?? 0;
    if (heldUpUs === Number.POSITIVE_INFINITY) return;
    this.#post(from, to, message, link, heldUpUs);
    if (doubleProbability > 0 && random.chance(doubleProbability)) {
      this.#counters.add("message doubled");
      this.#post(from, to, message, link, heldUpUs);
    }
  }

  #post(from: Address, to: Address, message: Message, link: string, heldUpUs: number): void {
    const random = this.#random;
    const { latencyUsMin, latencyUsMax, strayProbability, strayUsMax } = this.options;
    let delayUs = heldUpUs + random.between(latencyUsMin, latencyUsMax);
    if (strayProbability > 0 && random.chance(strayProbability)) {
      this.#counters.add("message astray");
      delayUs += random.between(0, strayUsMax);
    }
    if (this.#cloggedUs.size > 0) {
      const clogUs = this.#cloggedUs.get(link);
      if (clogUs !== undefined) this.#counters.add("message through a clogged link");
      delayUs += clogUs ?? 0;
    }
    this.#queue.schedule(delayUs, () => this.#deliver(from, to, message));
  }
}
