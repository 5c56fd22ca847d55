/**
 * Checks the sender of a message: the node that it names, or any node of the role that sends its kind. Each machine
 * refuses messages in the name of another node, even if the transport has let them through.
 */
import { type Address, type Message, podAddress, stashAddress } from "./messages/index.ts";

/** The first letter of the addresses of coordinators, pods and stash devices. */
type Role = "c" | "p" | "s";

function speakerOf(message: Message): Address | Role {
  switch (message.type) {
    case "pod.append":
    case "pod.greet":
    case "pod.confirm":
    case "pod.find":
    case "pod.list":
    case "pod.probe":
    case "pod.load":
    case "pod.note":
    case "pod.discard":
    case "stash.append":
    case "stash.find":
    case "stash.list":
    case "stash.probe":
    case "stash.load":
    case "stash.discard":
      return "c";
    case "coordinator.resolve":
      return "p";
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
  }
}

/** Returns true if the message names another sender, or the sender has the wrong role. */
export function isOfStranger(from: Address, message: Message): boolean {
  const speaker = speakerOf(message);
  return speaker !== from && speaker !== from[0];
}
