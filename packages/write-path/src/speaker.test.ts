import { expect, test } from "vitest";
import type { Address, Message } from "./messages/index.ts";
import { isOfStranger } from "./speaker.ts";

type Type = Message["type"];

/** The allowed senders of each kind that names its sender as pod 2 or device 2; all others are refused. */
const sendersOf: Readonly<Record<Type, readonly Address[]>> = {
  "pod.append": ["c0", "c2"],
  "pod.greet": ["c0", "c2"],
  "pod.confirm": ["c0", "c2"],
  "pod.find": ["c0", "c2"],
  "pod.list": ["c0", "c2"],
  "pod.probe": ["c0", "c2"],
  "pod.load": ["c0", "c2"],
  "pod.note": ["c0", "c2"],
  "pod.discard": ["c0", "c2"],
  "pod.handoff": ["s2"],
  "pod.announce": ["s2"],
  "pod.compare": ["p2"],
  "pod.digests": ["p2"],
  "pod.index": ["p2"],
  "pod.indexPage": ["p2"],
  "stash.append": ["c0", "c2"],
  "stash.purge": ["p2"],
  "stash.pull": ["p2"],
  "stash.find": ["c0", "c2"],
  "stash.list": ["c0", "c2"],
  "stash.probe": ["c0", "c2"],
  "stash.load": ["c0", "c2"],
  "stash.discard": ["c0", "c2"],
  "coordinator.hello": ["p2"],
  "coordinator.podAppended": ["p2"],
  "coordinator.confirmed": ["p2"],
  "coordinator.podRefused": ["p2"],
  "coordinator.stashAppended": ["s2"],
  "coordinator.found": ["p2"],
  "coordinator.stashFound": ["s2"],
  "coordinator.listed": ["p2"],
  "coordinator.listedAlike": ["p2"],
  "coordinator.stashListed": ["s2"],
  "coordinator.probed": ["p2"],
  "coordinator.stashProbed": ["s2"],
  "coordinator.loaded": ["s2"],
  "coordinator.resolve": ["p0", "p2"],
};
const everybody: readonly Address[] = ["c0", "c2", "p0", "p2", "s0", "s2"];

/** Contains all fields in which messages name their sender; no others are read. */
function messageOf(type: Type): Message {
  const from = type === "coordinator.loaded" ? "s2" : 2;
  return { type, from, podIndex: 2, deviceId: 2, pod: { podIndex: 2 } } as unknown as Message;
}

test.each(Object.keys(sendersOf) as Type[])(
  "a message %s is accepted from the node that it names, or from a node of its role",
  (type) => {
    const believed = everybody.filter((from) => !isOfStranger(from, messageOf(type)));
    expect(believed).toEqual(sendersOf[type]);
  },
);
