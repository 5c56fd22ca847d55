/**
 * The shell of one state machine: gives it events one after the other, and carries out what it asks for. Whatever an
 * effect causes comes back as a later event, never while an event is being taken.
 */
import type { Address, Message, Send, SetTimer } from "@stashlight/write-path";

type TimerEvent = { readonly type: "timer"; readonly key: string };
type MessageEvent = { readonly type: "message"; readonly from: Address; readonly message: Message };

export interface MachineHostOptions<Event, Effect> {
  readonly address: Address;
  readonly step: (event: Event | TimerEvent | MessageEvent, nowMs: number) => Effect[];
  /** All effects but messages and timers. */
  readonly carryOut: (effect: Exclude<Effect, Send | SetTimer>) => void;
  readonly send: (from: Address, to: Address, message: Message) => void;
  /** Milliseconds since 1970 on a clock that never goes back. */
  readonly nowMs: () => number;
}

export class MachineHost<Event extends { readonly type: string }, Effect extends { readonly type: string }> {
  readonly #options: MachineHostOptions<Event, Effect>;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #waiting: (Event | TimerEvent | MessageEvent)[] = [];
  #isStepping = false;
  #isStopped = false;

  constructor(options: MachineHostOptions<Event, Effect>) {
    this.#options = options;
  }

  take(event: Event | TimerEvent | MessageEvent): void {
    if (this.#isStopped) return;
    this.#waiting.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        this.#step(next);
    } finally {
      this.#isStepping = false;
    }
  }

  receive(from: Address, message: Message): void {
    this.take({ type: "message", from, message });
  }

  /** Nothing is taken or carried out any more. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #step(event: Event | TimerEvent | MessageEvent): void {
    const { step, nowMs } = this.#options;
    for (const effect of step(event, nowMs())) {
      if (this.#isStopped) return;
      this.#carryOut(effect);
    }
  }

  #carryOut(effect: Effect | Send | SetTimer): void {
    const { address, send, carryOut } = this.#options;
    if (effect.type === "send") {
      const { to, message } = effect as Send;
      send(address, to, message);
    } else if (effect.type === "setTimer") this.#setTimer(effect as SetTimer);
    else carryOut(effect as Exclude<Effect, Send | SetTimer>);
  }

  #setTimer({ key, delayMs }: SetTimer): void {
    clearTimeout(this.#timers.get(key));
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.take({ type: "timer", key });
    }, delayMs);
    this.#timers.set(key, timer);
  }
}
