/** The shell of one machine in the simulation: it carries out effects, keeps timers, and dies when it is told to. */
import type { Address, Message, Send, SetTimer } from "@stashlight/write-path";
import type { Counters } from "./counters.ts";
import type { EventQueue } from "./event-queue.ts";

export interface NodeWorld {
  readonly queue: EventQueue;
  readonly counters: Counters;
  /** Every event of every machine passes here once, before it is taken. */
  trace(address: Address, event: { readonly type: string }): void;
  /** After the effects of an event have been carried out. */
  stepped(): void;
  send(from: Address, to: Address, message: Message): void;
}

export interface Machine<Event, Effect> {
  step(event: Event, nowMs: number): Effect[];
  carryOut(effect: Effect): void;
}

type TimerEvent = { readonly type: "timer"; readonly key: string };
type MessageEvent = { readonly type: "message"; readonly from: Address; readonly message: Message };

export class SimulatedNode<
  Event extends { readonly type: string },
  Effect extends { readonly type: string },
> {
  readonly address: Address;
  readonly #world: NodeWorld;
  #machine: Machine<Event, Effect> | null = null;
  #boot = 0;
  #timers = new Map<string, number>();
  #timerCount = 0;
  /** The node's wall clock runs ahead of, or behind, true time. */
  clockOffsetMs = 0;
  /** It does not start again before this is over, even when power comes back everywhere. */
  isHeldDown = false;
  #pausedEvents: Event[] | null = null;

  constructor(world: NodeWorld, address: Address) {
    this.#world = world;
    this.address = address;
  }

  get isUp(): boolean {
    return this.#machine !== null;
  }

  get bootCount(): number {
    return this.#boot;
  }

  start(machine: Machine<Event, Effect>): void {
    this.#boot += 1;
    this.#machine = machine;
    this.#timers.clear();
    this.#pausedEvents = null;
  }

  stop(): void {
    this.#machine = null;
    this.#timers.clear();
    this.#pausedEvents = null;
  }

  pause(): void {
    if (this.#machine !== null) this.#pausedEvents ??= [];
  }

  resume(): void {
    const events = this.#pausedEvents ?? [];
    this.#pausedEvents = null;
    for (const event of events) this.take(event);
  }

  receive(from: Address, message: Message): void {
    this.take({ type: "message", from, message } satisfies MessageEvent as unknown as Event);
  }

  take(event: Event): void {
    const machine = this.#machine;
    if (machine === null) return;
    if (this.#pausedEvents !== null) {
      this.#pausedEvents.push(event);
      return;
    }
    this.#world.trace(this.address, event);
    const nowMs = this.#world.queue.nowUs / 1000 + this.clockOffsetMs;
    for (const effect of machine.step(event, nowMs)) {
      if (this.#machine !== machine) break;
      this.#carryOut(machine, effect);
    }
    this.#world.stepped();
  }

  #carryOut(machine: Machine<Event, Effect>, effect: Effect): void {
    if (effect.type === "send") {
      const { to, message } = effect as unknown as Send;
      this.#world.send(this.address, to, message);
    } else if (effect.type === "setTimer") {
      this.#setTimer(effect as unknown as SetTimer);
    } else {
      machine.carryOut(effect);
    }
  }

  #setTimer({ key, delayMs }: SetTimer): void {
    const boot = this.#boot;
    const count = ++this.#timerCount;
    this.#timers.set(key, count);
    this.#world.queue.schedule(delayMs * 1000, () => {
      if (boot !== this.#boot || this.#timers.get(key) !== count) return;
      this.#timers.delete(key);
      this.take({ type: "timer", key } satisfies TimerEvent as unknown as Event);
    });
  }
}
