/**
 * Tries to resurrect a deleted object. While an object is stored, deleted and forgotten, everything that could bring it
 * back is kept: its shards on the stash, whose purges are lost; copies of the messages about it; and drives with false
 * syncs, so that a power cut removes the deletion from them. Once no pod knows the key, all of that is released.
 */
import type { Address, Message, UploadId } from "@stashlight/write-path";
import type { SimulatedPod } from "../world/machines.ts";
import { losePower } from "../world/outages.ts";
import { issue, type Stage, versionsOn, waitUntil } from "./trial.ts";

const KEY = "comeback";
/** Key of writes that make pods sync their logs again. */
const OTHER_KEY = "comeback-other";

export const comebackKeys: readonly string[] = [KEY, OTHER_KEY];

export const endings = ["late messages", "power cut", "restart"] as const;
type Ending = (typeof endings)[number];

const STORED_WITHIN_MS = 60_000;
/** A pod that missed an upload asks for its outcome after 20 s, and a horizon follows ten seconds later. */
const COMPLETE_WITHIN_MS = 120_000;
const READ_COUNT = 8;
const COMPARED_AFTER_US = 6_000_000;
const COPIES_MAX = 200;
/** Pods flush five seconds after a write. */
const FLUSHED_AFTER_MS = 6000;

export function tryComeback(stage: Stage): null {
  new Comeback(stage).run();
  return null;
}

class Comeback {
  readonly #stage: Stage;
  readonly #ending: Ending;
  /** Pod that misses the upload or the deletion, and learns of both from other nodes. */
  readonly #absent: SimulatedPod | null;
  /**
   * Pods that miss the upload. There are enough of them that the upload has to be pushed to them, because its
   * coordinator dies.
   */
  readonly #unaware: readonly SimulatedPod[];
  readonly #liars: readonly SimulatedPod[];
  readonly #uploadIds = new Set<UploadId>();
  readonly #copies: [from: Address, to: Address, message: Message][] = [];

  constructor(stage: Stage) {
    const { world, random, faults } = stage;
    const { parityShardCount } = world.options.scheme;
    const pods = [...world.pods];
    const draw = () => pods.splice(random.below(pods.length), 1)[0] as SimulatedPod;
    this.#stage = stage;
    this.#ending = random.pick(endings);
    this.#absent = random.chance(0.5) ? draw() : null;
    const drawsLiars = this.#ending !== "late messages" && random.chance(0.7);
    const liars = drawsLiars ? Array.from({ length: parityShardCount - 1 }, draw) : [];
    this.#liars = liars.filter(({ node }) => faults.maySpend(node.address));
    const isUnfinished = random.chance(0.4);
    this.#unaware = isUnfinished ? Array.from({ length: parityShardCount }, draw) : [];
  }

  run(): void {
    const { world, faults } = this.#stage;
    const stopGuarding = faults.ambushes.guard((from, to, message) => this.#meet(from, to, message));
    if (this.#store() && this.#forget()) {
      world.counters.add(`comeback: ${this.#ending}`);
      stopGuarding();
      this.#letLoose();
      this.#read();
    }
    stopGuarding();
    for (const { medium } of this.#liars) medium.setLying(false);
  }

  /** Returns the delay of the message; infinity drops it. */
  #meet(from: Address, to: Address, message: Message): number {
    if (!this.#isAbout(message)) return 0;
    const isFirst = message.type === "pod.append" && message.purpose === "put";
    const missing = isFirst && message.shard.upload.kind === "object" ? this.#unaware : [];
    const isMissed = [...missing, this.#absent].some((pod) => pod?.node.address === to);
    const isOfStash = message.type === "stash.purge" || message.type === "stash.discard";
    if ((isFirst && isMissed) || isOfStash || message.type === "pod.handoff") return Number.POSITIVE_INFINITY;
    if (to.startsWith("p") && this.#copies.length < COPIES_MAX) this.#copies.push([from, to, message]);
    return 0;
  }

  #isAbout(message: Message): boolean {
    switch (message.type) {
      case "pod.append":
      case "stash.append":
        if (message.shard.upload.key !== KEY) return false;
        this.#uploadIds.add(message.shard.upload.uploadId);
        return true;
      case "stash.purge":
        return message.entries.some(({ uploadId }) => this.#uploadIds.has(uploadId));
      case "pod.handoff":
        return message.shards.some(({ upload }) => this.#uploadIds.has(upload.uploadId));
      case "pod.discard":
      case "stash.discard":
        return message.upload.key === KEY;
      default:
        return false;
    }
  }

  /** Stores the object, and waits until it is complete on all pods. */
  #store(): boolean {
    const { world, random, clients, advance } = this.#stage;
    const author = random.below(world.coordinators.length);
    const token = issue(this.#stage, "put", KEY, { coordinator: author });
    if (this.#unaware.length > 0) {
      advance(500);
      const coordinator = world.coordinators[author];
      if (coordinator) {
        world.crashCoordinator(coordinator);
        world.startCoordinator(coordinator);
      }
    } else if (!waitUntil(this.#stage, () => clients.storedTokens.has(token ?? -1), STORED_WITHIN_MS)) {
      return false;
    }
    const isComplete = (pod: SimulatedPod) =>
      versionsOn(pod, KEY).some(({ outcome, state }) => outcome === "complete" && state === "durable");
    return waitUntil(this.#stage, () => world.pods.every(isComplete), COMPLETE_WITHIN_MS);
  }

  /** Deletes the object, and waits until no pod knows the key. */
  #forget(): boolean {
    const { world, clients, random, advance } = this.#stage;
    for (const { medium } of this.#liars) medium.setLying(true);
    const token = issue(this.#stage, "delete", KEY);
    if (!waitUntil(this.#stage, () => clients.storedTokens.has(token ?? -1), STORED_WITHIN_MS)) return false;
    const hasForgotten = (pod: SimulatedPod) =>
      pod.state?.lifecycle === "settled" && versionsOn(pod, KEY).length === 0;
    const isForgotten = waitUntil(this.#stage, () => world.pods.every(hasForgotten), COMPLETE_WITHIN_MS);
    if (isForgotten && random.chance(0.8)) {
      // The next sync removes the tombstone from a medium.
      issue(this.#stage, "put", OTHER_KEY);
      advance(FLUSHED_AFTER_MS);
    }
    return isForgotten;
  }

  #letLoose(): void {
    const { world, random, advance } = this.#stage;
    if (this.#ending === "late messages") {
      for (const [from, to, message] of this.#copies) world.network.send(from, to, message);
      return;
    }
    if (random.chance(0.6)) this.#holdUpComparisons();
    if (this.#ending === "power cut") {
      world.powerCut();
      world.powerOn(1_000_000);
    } else {
      const pods = this.#liars.length > 0 ? this.#liars : [random.pick(world.pods)];
      for (const { node } of pods) losePower(world, node.address, 1);
    }
    advance(10);
  }

  /**
   * Delays comparisons with peers, so that pods whose drives lied are asked about the upload while they know only
   * their logs.
   */
  #holdUpComparisons(): void {
    const { world, faults } = this.#stage;
    const untilUs = world.queue.nowUs + COMPARED_AFTER_US;
    for (const { node } of this.#liars) {
      const delayUs = COMPARED_AFTER_US;
      faults.ambushes.obstruct({ type: "pod.digests", to: node.address, delayUs, untilUs });
    }
  }

  /** Reads while nodes return, and while the stash offers its remaining shards. */
  #read(): void {
    const { random, advance } = this.#stage;
    for (let count = 0; count < READ_COUNT; count += 1) {
      advance(10 ** random.between(1, 3.9));
      issue(this.#stage, "get", KEY);
    }
  }
}
