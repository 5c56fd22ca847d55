/** Who a message says it comes from. Whoever sent it must be that node, or it says things in another's name. */
import { type Address, type Message, podAddress, stashAddress } from "./messages.ts";

/** Null for what anybody may say. */
function speakerOf(message: Message): Address | null {
  switch (message.type) {
    case "stash.purge":
    case "stash.pull":
    case "coordinator.hello":
      return podAddress(message.pod.podIndex);
    case "coordinator.podAppended":
    case "coordinator.podRefused":
    case "coordinator.confirmed":
    case "coordinator.found":
    case "coordinator.listed":
    case "coordinator.listedAlike":
    case "coordinator.probed":
      return podAddress(message.podIndex);
    case "pod.compare":
    case "pod.digests":
    case "pod.index":
    case "pod.indexPage":
      return podAddress(message.from);
    case "pod.handoff":
    case "pod.announce":
    case "coordinator.stashAppended":
    case "coordinator.stashFound":
    case "coordinator.stashListed":
    case "coordinator.stashProbed":
      return stashAddress(message.deviceId);
    case "coordinator.loaded":
      return message.from;
    default:
      return null;
  }
}

/** Whether another than the sender is said to speak. */
export function isOfStranger(from: Address, message: Message): boolean {
  const speaker = speakerOf(message);
  return speaker !== null && speaker !== from;
}
