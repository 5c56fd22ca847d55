/**
 * Counts corner cases of the protocol that a run has reached, from the events that nodes take. A fault that strikes
 * while nothing happens proves nothing; these counts show that something did happen.
 */
import type { Address, Message, PodEvent } from "@stashlight/write-path";
import { Counters } from "../counters.ts";
import type { World } from "../world/world.ts";

export const situationNames = [
  "upload fell back to the direct path",
  "confirmation asked for",
  "put refused: order",
  "put refused: condition",
  "put refused: contested",
  "put refused: unsettled",
  "put refused: fenced",
  "put refused: rebooted",
  "put refused: epoch",
  "put refused: mismatch",
  "put refused: failed",
  "stash refused a shard: full",
  "stash refused a shard: rebooted",
  "stash refused a shard: failed",
  "purge sent",
  "stash asked a pod for its identity",
  "shard handed over to its pod",
  "pod learned of uploads from a peer",
  "pod asked for an upload's outcome",
  "pod promised never to take an upload",
  "upload declared dead",
  "upload declared superseded",
  "shard rebuilt from others",
  "stash assisted a read",
  "damaged shard counted as evidence",
  "damaged shard reported to its pod",
] as const;

export class SituationCounter {
  readonly #counters = new Counters();

  attach(world: World): void {
    world.listener = (address, event) => {
      const { message } = event as PodEvent<number> & { message?: Message };
      if (message !== undefined) this.#hear(address, message);
    };
  }

  entries(): [string, number][] {
    return this.#counters.entries();
  }

  #hear(address: Address, message: Message): void {
    const name = classifyMessage(address, message);
    if (name !== null) this.#counters.add(name);
  }
}

function classifyMessage(address: Address, message: Message): string | null {
  switch (message.type) {
    case "pod.append":
      if (message.purpose !== "put") return "shard rebuilt from others";
      return message.isDurable && message.stashDeviceId !== null
        ? "upload fell back to the direct path"
        : null;
    case "pod.confirm":
      return "confirmation asked for";
    case "coordinator.podRefused":
      return `put refused: ${message.reason}`;
    case "coordinator.stashAppended":
      return message.result === "durable" ? null : `stash refused a shard: ${message.result}`;
    case "stash.purge":
      return "purge sent";
    case "pod.announce":
      return "stash asked a pod for its identity";
    case "pod.handoff":
      if (message.damaged.length > 0) return "damaged shard reported to its pod";
      return message.shards.length > 0 ? "shard handed over to its pod" : null;
    case "pod.indexPage":
      return message.uploads.length > 0 ? "pod learned of uploads from a peer" : null;
    case "coordinator.resolve":
      return "pod asked for an upload's outcome";
    case "coordinator.probed":
      if (message.answer === "damaged") return "damaged shard counted as evidence";
      return message.answer === "refused" || message.answer === "knownRefused"
        ? "pod promised never to take an upload"
        : null;
    case "stash.discard":
      return message.proof.type === "refused" ? "upload declared dead" : "upload declared superseded";
    case "coordinator.loaded":
      return message.from.startsWith("s") && message.shards.length > 0 && address.startsWith("c")
        ? "stash assisted a read"
        : null;
    default:
      return null;
  }
}
