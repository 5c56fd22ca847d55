/**
 * One machine in a scenario: the production shell (shard-store/shell) and its surroundings. It can be stopped, and its
 * process may stall.
 */
import type { MachineShell, Surroundings } from "@stashlight/shard-store/shell";
import type { Address, Message } from "@stashlight/write-path";
import type { EventHeap, Happening } from "./event-heap.ts";

export interface NodeHost {
  readonly heap: EventHeap;
  eventCount: number;
  send(from: Address, to: Address, message: Message): void;
}

/** Delay of an action that the process defers to its next turn. */
const DEFERRED_US = 50;

export class LeanNode<Event, Effect> {
  readonly address: Address;
  readonly #host: NodeHost;
  #shell: MachineShell<Event, Effect> | null = null;
  #stalledUntilUs = 0;

  constructor(host: NodeHost, address: Address) {
    this.#host = host;
    this.address = address;
  }

  get isUp(): boolean {
    return this.#shell !== null;
  }

  start(createShell: (surroundings: Surroundings) => MachineShell<Event, Effect>): void {
    this.#shell = createShell(this.#surroundings());
  }

  stop(): void {
    this.#shell?.stop();
    this.#shell = null;
  }

  /** Stalls the process: events wait in order until it continues. */
  stall(forUs: number): void {
    this.#stalledUntilUs = Math.max(this.#stalledUntilUs, this.#host.heap.nowUs + forUs);
  }

  /**
   * Delivers a message; creates no closure unless the process stalls, because messages are most of a scenario's
   * events.
   */
  receive(from: Address, message: Message): void {
    if (this.#shell === null) return;
    if (this.#host.heap.nowUs < this.#stalledUntilUs) {
      this.#run(() => this.#shell?.receive(from, message));
      return;
    }
    this.#host.eventCount += 1;
    this.#shell.receive(from, message);
  }

  take(event: Event): void {
    this.#run(() => this.#shell?.take(event));
  }

  #run(action: () => void): void {
    if (this.#shell === null) return;
    const { heap } = this.#host;
    if (heap.nowUs < this.#stalledUntilUs)
      heap.schedule(this.#stalledUntilUs - heap.nowUs, { happen: () => this.#run(action) });
    else {
      this.#host.eventCount += 1;
      action();
    }
  }

  #surroundings(): Surroundings {
    const { heap } = this.#host;
    return {
      send: (to, message) => this.#host.send(this.address, to, message),
      startTimer: (delayMs, action) => {
        let isCancelled = false;
        heap.schedule(delayMs * 1000, {
          happen: () => {
            if (!isCancelled) this.#run(action);
          },
        });
        return () => {
          isCancelled = true;
        };
      },
      defer: (action) => heap.schedule(DEFERRED_US, { happen: () => this.#run(action) }),
      nowMs: () => heap.nowUs / 1000,
    };
  }
}

/** A node without its event type, which the delivery of messages does not need. */
export interface Receiver {
  receive(from: Address, message: Message): void;
}

export class MessageDue implements Happening {
  readonly #to: Receiver;
  readonly #from: Address;
  readonly #message: Message;

  constructor(to: Receiver, from: Address, message: Message) {
    this.#to = to;
    this.#from = from;
    this.#message = message;
  }

  happen(): void {
    this.#to.receive(this.#from, this.#message);
  }
}
