/**
 * Decides which node may send which message. A message names its sender's address, and many also name a pod or a
 * device; all of these must be the node's own, so that a broken or compromised node cannot act for another. A pod may
 * purge only its own shards.
 */
import { type Address, podAddress, stashAddress } from "@stashlight/write-path";
import type { MessageType } from "./codec/messages.ts";
import type { Authorise, Received } from "./options.ts";

type MessageOf<Type extends MessageType> = Extract<Received["message"], { type: Type }>;

interface Rule<Type extends MessageType> {
  /** Role of the sender; the kind's name contains the recipient's role. */
  readonly sender: "c" | "p" | "s";
  /** Returns the node that the message is about, which must be the sender; null if the message is about no node. */
  readonly subject: ((message: MessageOf<Type>) => Address) | null;
  /** Checks that everything else the message names belongs to the sender. */
  readonly isOwn?: (message: MessageOf<Type>) => boolean;
}

const fromCoordinator = { sender: "c", subject: null } as const;
const fromPod = {
  sender: "p",
  subject: ({ podIndex }: { podIndex: number }) => podAddress(podIndex),
} as const;
const fromPeerPod = { sender: "p", subject: ({ from }: { from: number }) => podAddress(from) } as const;
const fromIdentity = {
  sender: "p",
  subject: ({ pod }: { pod: { podIndex: number } }) => podAddress(pod.podIndex),
} as const;
const fromDevice = {
  sender: "s",
  subject: ({ deviceId }: { deviceId: number }) => stashAddress(deviceId),
} as const;

const rules: { readonly [Type in MessageType]: Rule<Type> | readonly Rule<Type>[] } = {
  "pod.append": fromCoordinator,
  "pod.greet": fromCoordinator,
  "pod.confirm": fromCoordinator,
  "pod.find": fromCoordinator,
  "pod.list": fromCoordinator,
  "pod.probe": fromCoordinator,
  "pod.load": fromCoordinator,
  "pod.note": fromCoordinator,
  "pod.discard": fromCoordinator,
  "pod.handoff": fromDevice,
  "pod.announce": fromDevice,
  "pod.compare": fromPeerPod,
  "pod.digests": fromPeerPod,
  "pod.index": fromPeerPod,
  "pod.indexPage": fromPeerPod,
  "stash.append": fromCoordinator,
  "stash.purge": {
    ...fromIdentity,
    isOwn: ({ pod, entries }) => entries.every(({ shardIndex }) => shardIndex === pod.podIndex),
  },
  "stash.pull": fromIdentity,
  "stash.find": fromCoordinator,
  "stash.list": fromCoordinator,
  "stash.probe": fromCoordinator,
  "stash.load": fromCoordinator,
  "stash.discard": fromCoordinator,
  "coordinator.hello": fromIdentity,
  "coordinator.podAppended": fromPod,
  "coordinator.confirmed": fromPod,
  "coordinator.podRefused": fromPod,
  "coordinator.stashAppended": fromDevice,
  "coordinator.found": fromPod,
  "coordinator.stashFound": fromDevice,
  "coordinator.listed": fromPod,
  "coordinator.listedAlike": fromPod,
  "coordinator.stashListed": fromDevice,
  "coordinator.probed": fromPod,
  "coordinator.stashProbed": fromDevice,
  "coordinator.loaded": [
    { sender: "p", subject: ({ from }) => from },
    { sender: "s", subject: ({ from }) => from },
  ],
  "coordinator.resolve": { sender: "p", subject: null },
};

export interface Directory {
  /** Returns the addresses that a node may use; none for an unknown node. */
  readonly addressesOf: (nodeId: string) => ReadonlySet<Address>;
  /** Returns true for an address of this process. */
  readonly isServed: (address: Address) => boolean;
}

const roleNames = { c: "coordinator.", p: "pod.", s: "stash." } as const;
type Role = keyof typeof roleNames;

/** The rules by the letters of addresses, precomputed because each message needs a lookup. */
const rulesByRole = new Map(
  Object.entries(rules).map(([type, rule]) => {
    const recipient = (Object.keys(roleNames) as Role[]).find((role) => type.startsWith(roleNames[role]));
    const bySender = new Map([rule].flat().map((each) => [each.sender as string, each as Rule<MessageType>]));
    return [type as MessageType, { recipient, bySender }];
  }),
);

/** Returns the rules of the write path for a vault whose nodes are in this directory. */
export function authoriseByRole({ addressesOf, isServed }: Directory): Authorise {
  return ({ nodeId, from, to, message }) => {
    if (!addressesOf(nodeId).has(from)) return "sender";
    const ofType = rulesByRole.get(message.type);
    if (!isServed(to) || ofType?.recipient !== to[0]) return "recipient";
    const rule = ofType?.bySender.get(from[0] as string);
    if (!rule) return "role";
    if (rule.subject !== null && rule.subject(message) !== from) return "subject";
    return rule.isOwn?.(message) === false ? "subject" : null;
  };
}
