/**
 * One machine in the simulation: its shell is that of production (shard-store/shell), and this is what surrounds it. The
 * process may stall, its clock may be wrong, and it dies when it is told to.
 */
import type { MachineShell, Surroundings } from "@stashlight/shard-store/shell";
import type { Address, Message } from "@stashlight/write-path";
import type { EventQueue } from "../event-queue.ts";

export interface NodeWorld {
  readonly queue: EventQueue;
  /** Every event of every machine passes here once, before it is taken. */
  trace(address: Address, event: { readonly type: string }): void;
  send(from: Address, to: Address, message: Message): void;
}

/** What an action takes that the process runs once it is its turn. */
const DEFERRED_US = 50;

export class SimulatedNode<Event extends { readonly type: string }, Effect> {
  readonly address: Address;
  readonly #world: NodeWorld;
  #shell: MachineShell<Event, Effect> | null = null;
  #boot = 0;
  /** The node's wall clock runs ahead of, or behind, true time. */
  clockOffsetMs = 0;
  /** How far its wall clock was stepped while deadlines ran on. */
  wallAheadMs = 0;
  /** It does not start again before this is over, even when power comes back everywhere. */
  isHeldDown = false;
  /** What has come in while the process stalls. */
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

  receive(from: Address, message: Message): void {
    this.#run(() => this.#shell?.receive(from, message));
  }

  take(event: Event): void {
    this.#run(() => this.#shell?.take(event));
  }

  /** Now, or when the process goes on. */
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
          // A timer that was due while the process stalled can no longer be cancelled.
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
