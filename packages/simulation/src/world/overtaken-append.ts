/**
 * A pod restarts between its answer and the append to the stash on its behalf. The pod answers first, loses power
 * before it has flushed, pulls from the stash, compares itself with peers that have not received the upload yet, and
 * settles without knowing it. Only then does the rest of the upload arrive, and one other pod never gets its shard. If
 * the stash now kept the shard and reported it durable, the upload would be acknowledged with two pods unaware of it.
 *
 * There are two ways to reach that moment. The append is *late*: it reaches the device after the pod has settled. Or it
 * is *in flight*: the device has accepted it, and its group commit ends after the pod has pulled.
 */

import { createRandom } from "@stashlight/stats/forkable-random";
import type { Address, Message } from "@stashlight/write-path";
import { overtakenKey, type PlannedFault } from "../options.ts";
import type { Ambushes } from "./ambush.ts";
import type { SimulatedPod, SimulatedStash } from "./machines.ts";
import { losePower } from "./outages.ts";
import type { World } from "./world.ts";

export const overtakenWays = ["late", "in flight"] as const;
type Way = (typeof overtakenWays)[number];

/** An upload on the direct path ends after ten seconds, so the pod must have settled by then. */
const SETTLED_WITHIN_US = 8_000_000;
const LOOK_EVERY_US = 10_000;
/** Time after the release for which messages to the two affected pods are lost. */
const LOST_AFTER_RELEASE_US = 2_000_000;

export function overtakeAppend(world: World, fault: PlannedFault, ambushes: Ambushes): void {
  const ambush = new OvertakenAppend(world, fault);
  const stopGuarding = ambushes.guard((from, to, message) => ambush.meet(from, to, message));
  ambush.onOver = stopGuarding;
}

class OvertakenAppend {
  readonly #world: World;
  readonly #key: string;
  readonly #way: Way;
  readonly #forgetful: SimulatedPod;
  readonly #absent: SimulatedPod;
  readonly #downMs: number;
  readonly #held: [from: Address, to: Address, message: Message][] = [];
  #uploadId: string | null = null;
  #phase: "waiting" | "restarting" | "released" = "waiting";
  #hungDevice: SimulatedStash | null = null;
  #bootBefore = 0;
  onOver: () => void = () => undefined;

  constructor(world: World, fault: PlannedFault) {
    const random = createRandom(fault.target * 2 ** 20 + fault.detail);
    const pods = [...world.pods];
    const drawPod = () => pods.splice(random.below(pods.length), 1)[0] as SimulatedPod;
    this.#world = world;
    this.#key = overtakenKey(fault);
    this.#forgetful = drawPod();
    this.#absent = drawPod();
    this.#way = random.pick(overtakenWays);
    this.#downMs = random.between(1, 100);
    world.queue.schedule(SETTLED_WITHIN_US, () => this.#release());
  }

  /** Returns the additional delay of the message; infinity drops it. */
  meet(from: Address, to: Address, message: Message): number {
    switch (message.type) {
      case "pod.append":
        if (message.shard.upload.key !== this.#key || message.purpose !== "put") return 0;
        this.#uploadId ??= message.shard.upload.uploadId;
        return this.#meetPodAppend(from, to, message);
      case "stash.append":
        if (message.shard.upload.key !== this.#key) return 0;
        return this.#meetStashAppend(from, to, message);
      case "pod.confirm":
        return message.uploadId === this.#uploadId && to === this.#forgetful.node.address
          ? Number.POSITIVE_INFINITY
          : 0;
      case "coordinator.podAppended":
        if (message.uploadId === this.#uploadId && from === this.#forgetful.node.address) this.#strike();
        return 0;
      default:
        return 0;
    }
  }

  #meetPodAppend(from: Address, to: Address, message: Message): number {
    if (to === this.#absent.node.address) return Number.POSITIVE_INFINITY;
    if (to === this.#forgetful.node.address) return this.#phase === "waiting" ? 0 : Number.POSITIVE_INFINITY;
    return this.#phase === "released" ? 0 : this.#hold(from, to, message);
  }

  #meetStashAppend(from: Address, to: Address, message: Extract<Message, { type: "stash.append" }>): number {
    const isForgetfuls = message.shard.shardIndex === this.#forgetful.podIndex;
    if (!isForgetfuls || this.#phase === "released") return 0;
    if (this.#way === "late") return this.#hold(from, to, message);
    this.#hungDevice = this.#world.stashes.find(({ node }) => node.address === to) ?? null;
    this.#hungDevice?.medium.setHung(true);
    return 0;
  }

  #hold(from: Address, to: Address, message: Message): number {
    this.#held.push([from, to, message]);
    return Number.POSITIVE_INFINITY;
  }

  #strike(): void {
    if (this.#phase !== "waiting") return;
    this.#phase = "restarting";
    const { node } = this.#forgetful;
    this.#bootBefore = node.bootCount;
    // The pod is still processing the event in which it answered.
    this.#world.queue.schedule(0, () => losePower(this.#world, node.address, this.#downMs));
    this.#world.queue.schedule(LOOK_EVERY_US, () => this.#look());
  }

  /**
   * Waits until the pod has settled again. It cannot settle while its shard is in flight, so that case ends by time.
   */
  #look(): void {
    if (this.#phase !== "restarting") return;
    const { node, state } = this.#forgetful;
    const isBack = node.bootCount > this.#bootBefore;
    if (isBack && state?.lifecycle === "settled") this.#release();
    else this.#world.queue.schedule(LOOK_EVERY_US, () => this.#look());
  }

  #release(): void {
    if (this.#phase === "released") return;
    if (this.#isReached()) this.#world.counters.add(`overtaken append: ${this.#way}`);
    this.#phase = "released";
    this.#hungDevice?.medium.setHung(false);
    for (const [from, to, message] of this.#held.splice(0)) this.#world.network.send(from, to, message);
    this.#world.queue.schedule(LOST_AFTER_RELEASE_US, () => this.onOver());
  }

  /**
   * Returns true once the ambush has reached its moment: the append is open, and the device or the pod has advanced.
   */
  #isReached(): boolean {
    const { podIndex, node, state } = this.#forgetful;
    if (this.#phase !== "restarting" || node.bootCount === this.#bootBefore) return false;
    if (this.#way === "late")
      return state?.lifecycle === "settled" && this.#held.some(([, , { type }]) => type === "stash.append");
    const device = this.#hungDevice?.state;
    const hasPulled = device?.pods.get(podIndex)?.bootId === state?.identity.bootId;
    const open = device?.entries.get(this.#uploadId ?? "")?.find(({ shardIndex }) => shardIndex === podIndex);
    return hasPulled && open?.state === "appending";
  }
}
