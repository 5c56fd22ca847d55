/** The shell of one machine in a scenario: it delivers messages, keeps timers, and is away when it is told to. */
import type { Address, Message, Send, SetTimer } from "@stashlight/write-path";
import type { EventHeap, Happening } from "./event-heap.ts";

type NodeEvent = { readonly type: string };
type NodeEffect = { readonly type: string };

export interface NodeHost {
  readonly heap: EventHeap;
  eventCount: number;
  send(from: Address, effect: Send): void;
}

export class LeanNode<Event extends NodeEvent, Effect extends NodeEffect> {
  readonly address: Address;
  readonly #host: NodeHost;
  readonly #timers = new Map<string, TimerDue<Event, Effect>>();
  #step: ((event: Event, nowMs: number) => Effect[]) | null = null;
  #carryOut: (effect: Effect) => void = () => {};

  constructor(host: NodeHost, address: Address) {
    this.#host = host;
    this.address = address;
  }

  get isUp(): boolean {
    return this.#step !== null;
  }

  start(step: (event: Event, nowMs: number) => Effect[], carryOut: (effect: Effect) => void): void {
    this.#step = step;
    this.#carryOut = carryOut;
    this.#timers.clear();
  }

  stop(): void {
    this.#step = null;
    this.#timers.clear();
  }

  receive(from: Address, message: Message): void {
    this.take({ type: "message", from, message } as unknown as Event);
  }

  take(event: Event): void {
    const step = this.#step;
    if (step === null) return;
    this.#host.eventCount += 1;
    const effects = step(event, this.#host.heap.nowUs / 1000);
    for (let i = 0; i < effects.length; i += 1) {
      const effect = effects[i] as Effect;
      if (effect.type === "send") this.#host.send(this.address, effect as unknown as Send);
      else if (effect.type === "setTimer") this.#setTimer(effect as unknown as SetTimer);
      else this.#carryOut(effect);
    }
  }

  /** A timer that was set again is another, so the one before finds itself replaced. */
  #setTimer({ key, delayMs }: SetTimer): void {
    const due = new TimerDue(this, key);
    this.#timers.set(key, due);
    this.#host.heap.schedule(delayMs * 1000, due);
  }

  timerDue(due: TimerDue<Event, Effect>): void {
    if (this.#timers.get(due.key) !== due) return;
    this.#timers.delete(due.key);
    this.take({ type: "timer", key: due.key } as unknown as Event);
  }
}

class TimerDue<Event extends NodeEvent, Effect extends NodeEffect> implements Happening {
  readonly #node: LeanNode<Event, Effect>;
  readonly key: string;

  constructor(node: LeanNode<Event, Effect>, key: string) {
    this.#node = node;
    this.key = key;
  }

  happen(): void {
    this.#node.timerDue(this);
  }
}

/** A node whose events are of some kind, which those that deliver messages need not know. */
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
