/**
 * Faults that wait for a kind of message. The worst moments are between two particular messages of one upload, and a
 * fault at a time drawn in advance hardly ever hits them.
 */
import type { Address, Message } from "@stashlight/write-path";
import type { PlannedFault } from "../options.ts";
import { cutPower, losePower } from "./outages.ts";
import type { World } from "./world.ts";

const messageTypes = [
  "pod.append",
  "pod.confirm",
  "pod.find",
  "pod.probe",
  "pod.note",
  "pod.discard",
  "pod.handoff",
  "pod.compare",
  "pod.digests",
  "pod.index",
  "pod.indexPage",
  "stash.append",
  "stash.purge",
  "stash.pull",
  "stash.probe",
  "stash.discard",
  "coordinator.hello",
  "coordinator.podAppended",
  "coordinator.confirmed",
  "coordinator.podRefused",
  "coordinator.stashAppended",
  "coordinator.found",
  "coordinator.probed",
  "coordinator.stashProbed",
  "coordinator.loaded",
] as const satisfies readonly Message["type"][];

export const deeds = [
  "power cut",
  "receiver loses power",
  "sender loses power",
  "receiver loses power, and the message outlives it",
  "messages of the kind to the receiver are lost",
  "messages of the kind from the sender are lost",
  "messages of the kind to the receiver are late",
] as const;

interface Ambush {
  readonly type: Message["type"];
  /** Sender of the message; null matches any node. */
  readonly from: Address | null;
  /** Number of matching messages to let pass first. */
  passCount: number;
  /** Returns the delay of the message. */
  readonly strike: (from: Address, to: Address) => number;
}

interface Planned {
  readonly fault: PlannedFault;
  readonly type: Message["type"];
  readonly deed: (typeof deeds)[number];
}

/** Delays or drops messages of a kind for a while: those from or to a node, or those about a shard. */
export interface Obstacle {
  readonly type: Message["type"];
  readonly from?: Address;
  readonly to?: Address;
  readonly shardIndex?: number;
  readonly delayUs: number;
  readonly untilUs: number;
}

/** Receives every message, and returns its additional delay; infinity drops it. */
export type Guard = (from: Address, to: Address, message: Message) => number;

export class Ambushes {
  readonly #world: World;
  #waiting: Ambush[] = [];
  #obstacles: Obstacle[] = [];
  readonly #guards = new Set<Guard>();

  constructor(world: World) {
    this.#world = world;
  }

  lie(fault: PlannedFault): void {
    const type = messageTypes[fault.detail % messageTypes.length] ?? "pod.append";
    const deed = deeds[Math.floor(fault.detail / messageTypes.length) % deeds.length] ?? "power cut";
    const strike = (from: Address, to: Address) => this.#strike({ fault, type, deed }, from, to);
    this.#wait({ type, from: null, passCount: fault.target % 16, strike });
  }

  /** Fires right after the node sends the next message of this kind. */
  afterNext(type: Message["type"], from: Address, action: () => void): void {
    const strike = () => {
      this.#world.queue.schedule(0, action);
      return 0;
    };
    this.#wait({ type, from, passCount: 0, strike });
  }

  obstruct(obstacle: Obstacle): void {
    this.#obstacles.push(obstacle);
    this.#listen();
  }

  /** Adds a guard, and returns a function that removes it. */
  guard(guard: Guard): () => void {
    this.#guards.add(guard);
    this.#listen();
    return () => this.#guards.delete(guard);
  }

  #wait(ambush: Ambush): void {
    this.#waiting.push(ambush);
    this.#listen();
  }

  #listen(): void {
    this.#world.network.interceptor = (from, to, message) => this.#meet(from, to, message);
  }

  healAll(): void {
    this.#waiting = [];
    this.#obstacles = [];
    this.#guards.clear();
    this.#world.network.interceptor = null;
  }

  /** Returns the delay of the message; infinity drops it. */
  #meet(from: Address, to: Address, message: Message): number {
    const { type } = message;
    let delayUs = 0;
    for (const ambush of this.#waiting) {
      if (ambush.type !== type || (ambush.from !== null && ambush.from !== from)) continue;
      if (ambush.passCount > 0) ambush.passCount -= 1;
      else {
        this.#waiting = this.#waiting.filter((other) => other !== ambush);
        delayUs += ambush.strike(from, to);
        break;
      }
    }
    for (const guard of this.#guards) delayUs += guard(from, to, message);
    const nowUs = this.#world.queue.nowUs;
    for (const obstacle of this.#obstacles) {
      if (obstacle.type !== type || obstacle.untilUs < nowUs) continue;
      const isAbout = message.type === "stash.append" && message.shard.shardIndex === obstacle.shardIndex;
      if (obstacle.to === to || obstacle.from === from || isAbout) delayUs += obstacle.delayUs;
    }
    return delayUs;
  }

  #strike({ fault, type, deed }: Planned, from: Address, to: Address): number {
    const { queue, counters } = this.#world;
    counters.add(`ambush: ${deed}`);
    const durationUs = fault.durationMs * 1000;
    // Waits until the sender has processed the event in which it sends the message.
    const soon = (action: () => void) => queue.schedule(0, action);
    const obstruct = (ends: Pick<Obstacle, "from" | "to">, delayUs: number) =>
      this.obstruct({ type, ...ends, delayUs, untilUs: queue.nowUs + durationUs });
    switch (deed) {
      case "power cut":
        soon(() => cutPower(this.#world, fault));
        return 0;
      case "receiver loses power":
        soon(() => losePower(this.#world, to, fault.durationMs));
        return 0;
      case "sender loses power":
        soon(() => losePower(this.#world, from, fault.durationMs));
        return 0;
      case "receiver loses power, and the message outlives it":
        soon(() => losePower(this.#world, to, fault.durationMs));
        return durationUs * 2;
      case "messages of the kind to the receiver are lost":
        obstruct({ to }, Number.POSITIVE_INFINITY);
        return 0;
      case "messages of the kind from the sender are lost":
        obstruct({ from }, Number.POSITIVE_INFINITY);
        return 0;
      case "messages of the kind to the receiver are late":
        obstruct({ to }, durationUs);
        return 0;
    }
  }
}
