/**
 * One machine in the simulation: the production shell (shard-store/shell) and its surroundings. The process may stall,
 * its clock may be wrong, and faults can end it.
 */
import type { MachineShell, Surroundings } from "@stashlight/shard-store/shell";
import type { Address, Message } from "@stashlight/write-path";
import type { EventQueue } from "../event-queue.ts";

export interface NodeWorld {
  readonly queue: EventQueue;
  /** Receives every event of every machine once, before it is processed. */
  trace(address: Address, event: { readonly type: string }): void;
  send(from: Address, to: Address, message: Message): void;
}

/** Delay of an action that the process defers to its next turn. */
const DEFERRED_US = 50;

export class SimulatedNode<Event extends { readonly type: string }, Effect> {
  readonly address: Address;
  readonly #world: NodeWorld;
  #shell: MachineShell<Event, Effect> | null = null;
  #boot = 0;
  /** Offset of the node's wall clock from true time. */
  clockOffsetMs = 0;
  /** Steps of its wall clock that did not move deadlines. */
  wallAheadMs = 0;
  /** The node does not restart before this time, even if power returns everywhere. */
  isHeldDown = false;
  /** Messages that arrived during a stall. */
  #held: (() => void)[] | null = null;

  constructor(world: NodeWorld, address: Address) {
    this.#world = world;
    this.address = address;
  }

  get isUp(): boolean {
    return this.#shell !== null;
  }

  get bootCount(): number {
    return this.#boot;
  }

  start(createShell: (surroundings: Surroundings) => MachineShell<Event, Effect>): void {
    this.#boot += 1;
    this.#held = null;
    this.#shell = createShell(this.#surroundings());
  }

  stop(): void {
    this.#shell?.stop();
    this.#shell = null;
    this.#held = null;
  }

  pause(): void {
    if (this.#shell !== null) this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const action of held) this.#run(action);
  }

  /** True while the process stalls. */
  get isPaused(): boolean {
    return this.#held !== null;
  }

  /** Shell of the boot in progress; null while the node is down. */
  get shell(): MachineShell<Event, Effect> | null {
    return this.#shell;
  }

  receive(from: Address, message: Message): void {
    this.#run(() => this.#shell?.receive(from, message));
  }

  take(event: Event): void {
    this.#run(() => this.#shell?.take(event));
  }

  /** Runs the action now, or when the process continues after a stall. */
  #run(action: () => void): void {
    if (this.#shell === null) return;
    if (this.#held === null) action();
    else this.#held.push(action);
  }

  #surroundings(): Surroundings {
    const { queue } = this.#world;
    return {
      send: (to, message) => this.#world.send(this.address, to, message),
      startTimer: (delayMs, action) => {
        let isCancelled = false;
        queue.schedule(delayMs * 1000, () => {
          // A timer that was due during a stall can no longer be cancelled.
          if (!isCancelled) this.#run(action);
        });
        return () => {
          isCancelled = true;
        };
      },
      defer: (action) => queue.schedule(DEFERRED_US, () => this.#run(action)),
      nowMs: () => queue.nowUs / 1000 + this.clockOffsetMs,
      wallAheadMs: () => this.wallAheadMs,
    };
  }
}
