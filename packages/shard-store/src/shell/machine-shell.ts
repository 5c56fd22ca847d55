/**
 * The shell of one boot of one machine, in production and in the simulation: it passes events to the machine one after
 * the other and carries out the requested effects. Results of an effect return as later events, never while an event is
 * being processed. The environment of the machine owns network, timers and clock.
 */
import type { Address, Message, Shard, TimerEvent } from "@stashlight/write-path";
import type { MachineHands } from "./carry-out.ts";

export interface Surroundings {
  send(to: Address, message: Message): void;
  /** Runs the action after this delay, unless the returned function is called first. */
  startTimer(delayMs: number, action: () => void): () => void;
  /** Runs the action soon, once the current call has returned. */
  defer(action: () => void): void;
  /** Milliseconds since 1970, on a clock for deadlines that neither goes back nor jumps. */
  nowMs(): number;
  /**
   * Milliseconds by which the wall clock is ahead of that clock, which has just returned `nowMs`; absent if both are
   * the same.
   */
  wallAheadMs?(nowMs: number): number;
}

/** Observes events and effects of a shell, for metrics and for judges. */
export interface ShellWatch<Event, Effect> {
  /** The machine is about to process the event. */
  taking?(event: Event): void;
  /** The effect is about to be carried out. */
  asked?(effect: Effect): void;
  carriedOut?(effect: Effect): void;
}

type MessageEvent = { readonly type: "message"; readonly from: Address; readonly message: Message };
/** Events of a machine; every machine accepts messages and timers. */
export type EventOf<Own> = Own | TimerEvent | MessageEvent;

export interface ShellOptions<Event, Effect> {
  readonly step: (event: EventOf<Event>, nowMs: number) => readonly Effect[];
  readonly carryOut: (effect: Effect, hands: MachineHands) => void;
  readonly surroundings: Surroundings;
  readonly watch?: ShellWatch<EventOf<Event>, Effect> | undefined;
}

const HELD_BYTES_MAX = 16 * 1_048_576;

function payloadsIn(message: Message): readonly Shard[] {
  if ("shards" in message) return message.shards;
  return "shard" in message && message.shard !== null ? [message.shard] : [];
}

/** Copies the payloads of a message, because the connection reuses their bytes once this call has returned. */
function ownMessage(message: Message): Message {
  if ("shard" in message && message.shard !== null) return { ...message, shard: ownShard(message.shard) };
  if ("shards" in message) return { ...message, shards: message.shards.map(ownShard) };
  return message;
}

const ownShard = (shard: Shard): Shard => ({ ...shard, payload: Buffer.from(shard.payload) });

export class MachineShell<Event, Effect> {
  readonly #options: ShellOptions<Event, Effect>;
  readonly #hands: MachineHands;
  /** Functions that cancel the pending timers, by key. */
  readonly #timers = new Map<string, () => void>();
  readonly #waiting: EventOf<Event>[] = [];
  /** Messages and timers that wait while the shell holds them; null if it does not. */
  #held: (TimerEvent | MessageEvent)[] | null = null;
  #heldBytes = 0;
  #onFull = (): void => {};
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
    this.#takeOrHold({ type: "message", from, message });
  }

  /**
   * Holds messages and timers until `letGo`; answers still pass, so the machine comes to rest. `onFull` is called when the
   * held payloads take too much memory.
   */
  hold(onFull: () => void): void {
    this.#held ??= [];
    this.#heldBytes = 0;
    this.#onFull = onFull;
  }

  /** Takes the messages and timers that have waited. */
  letGo(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const event of held) this.take(event);
  }

  #takeOrHold(event: TimerEvent | MessageEvent): void {
    if (this.#held === null) {
      this.take(event);
      return;
    }
    if (event.type !== "message") {
      this.#held.push(event);
      return;
    }
    this.#held.push({ ...event, message: ownMessage(event.message) });
    this.#heldBytes += payloadsIn(event.message).reduce((sum, { payload }) => sum + payload.length, 0);
    if (this.#heldBytes > HELD_BYTES_MAX) this.#onFull();
  }

  /** Stops the boot: it accepts and carries out nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.length = 0;
    this.#held = null;
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
    // A due timer that is held is replaced as well.
    if (this.#held !== null)
      this.#held = this.#held.filter((event) => event.type !== "timer" || event.key !== key);
    const cancel = this.#options.surroundings.startTimer(delayMs, () => {
      this.#timers.delete(key);
      this.#takeOrHold({ type: "timer", key });
    });
    this.#timers.set(key, cancel);
  }
}
