/**
 * The shell of one boot of one machine, in production and in the simulation: it gives the machine its events one after
 * the other and carries out what the machine asks for. What an effect causes comes back as a later event, never while
 * an event is being taken. Network, timers and clock belong to whoever runs the machine.
 */
import type { Address, Message, TimerEvent } from "@stashlight/write-path";
import type { MachineHands } from "./carry-out.ts";

export interface Surroundings {
  send(to: Address, message: Message): void;
  /** Runs the action after this long, unless the returned function is called before. */
  startTimer(delayMs: number, action: () => void): () => void;
  /** Runs the action soon, once the call under way has returned. */
  defer(action: () => void): void;
  /** Milliseconds since 1970, on a clock that neither goes back nor jumps: deadlines run by it. */
  nowMs(): number;
  /** Milliseconds that the wall clock is ahead of that clock, which has just shown `nowMs`; absent where both are one. */
  wallAheadMs?(nowMs: number): number;
}

/** Hears what passes through a shell, for metrics and for judges. */
export interface ShellWatch<Event, Effect> {
  /** The machine is about to take the event. */
  taking?(event: Event): void;
  /** The effect is about to be carried out. */
  asked?(effect: Effect): void;
  carriedOut?(effect: Effect): void;
}

type MessageEvent = { readonly type: "message"; readonly from: Address; readonly message: Message };
/** Every machine takes messages and timers. */
export type EventOf<Own> = Own | TimerEvent | MessageEvent;

export interface ShellOptions<Event, Effect> {
  readonly step: (event: EventOf<Event>, nowMs: number) => readonly Effect[];
  readonly carryOut: (effect: Effect, hands: MachineHands) => void;
  readonly surroundings: Surroundings;
  readonly watch?: ShellWatch<EventOf<Event>, Effect> | undefined;
}

export class MachineShell<Event, Effect> {
  readonly #options: ShellOptions<Event, Effect>;
  readonly #hands: MachineHands;
  /** How to cancel each timer that is still to come. */
  readonly #timers = new Map<string, () => void>();
  readonly #waiting: EventOf<Event>[] = [];
  #isStepping = false;
  #isStopped = false;

  constructor(options: ShellOptions<Event, Effect>) {
    const { surroundings } = options;
    this.#options = options;
    this.#hands = {
      send: (to, message) => surroundings.send(to, message),
      setTimer: (key, delayMs) => this.#setTimer(key, delayMs),
    };
  }

  take(event: EventOf<Event>): void {
    if (this.#isStopped) return;
    if (this.#isStepping) {
      this.#waiting.push(event);
      return;
    }
    this.#isStepping = true;
    try {
      this.#step(event);
      while (this.#waiting.length > 0) this.#step(this.#waiting.shift() as EventOf<Event>);
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
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #step(event: EventOf<Event>): void {
    const { step, carryOut, surroundings, watch } = this.#options;
    watch?.taking?.(event);
    for (const effect of step(event, surroundings.nowMs())) {
      if (this.#isStopped) return;
      watch?.asked?.(effect);
      carryOut(effect, this.#hands);
      watch?.carriedOut?.(effect);
    }
  }

  #setTimer(key: string, delayMs: number): void {
    this.#timers.get(key)?.();
    const cancel = this.#options.surroundings.startTimer(delayMs, () => {
      this.#timers.delete(key);
      this.take({ type: "timer", key });
    });
    this.#timers.set(key, cancel);
  }
}
