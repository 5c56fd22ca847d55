/**
 * Tests which role may send which message, as a table of all kinds of messages and all roles, checked against the rules
 * over real connections between verified nodes.
 */
import type { Address, Message } from "@stashlight/write-path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { authoriseByRole } from "./authorisation.ts";
import { type Envelope, type MessageType, messageTypes } from "./codec/messages.ts";
import { envelopeArbitrary } from "./testing/messages.ts";
import {
  makeNodeKeys,
  type PeerNode,
  type ServerNode,
  startPeer,
  startServer,
  until,
} from "./testing/nodes.ts";

type Role = "c" | "p" | "s";

/** The sender of each kind. A separate test asserts that no kind is missing. */
const sendersOf: Readonly<Record<MessageType, string>> = {
  "pod.append": "c",
  "pod.greet": "c",
  "pod.confirm": "c",
  "pod.find": "c",
  "pod.list": "c",
  "pod.probe": "c",
  "pod.load": "c",
  "pod.note": "c",
  "pod.discard": "c",
  "pod.handoff": "s",
  "pod.announce": "s",
  "pod.compare": "p",
  "pod.digests": "p",
  "pod.index": "p",
  "pod.indexPage": "p",
  "stash.append": "c",
  "stash.purge": "p",
  "stash.pull": "p",
  "stash.find": "c",
  "stash.list": "c",
  "stash.probe": "c",
  "stash.load": "c",
  "stash.discard": "c",
  "coordinator.hello": "p",
  "coordinator.podAppended": "p",
  "coordinator.confirmed": "p",
  "coordinator.podRefused": "p",
  "coordinator.stashAppended": "s",
  "coordinator.found": "p",
  "coordinator.stashFound": "s",
  "coordinator.listed": "p",
  "coordinator.listedAlike": "p",
  "coordinator.stashListed": "s",
  "coordinator.probed": "p",
  "coordinator.stashProbed": "s",
  "coordinator.loaded": "ps",
  "coordinator.resolve": "p",
};

/** The sending nodes, each with the address of another node of the same role. */
const nodes: Readonly<Record<string, { readonly own: Address; readonly others: Address }>> = {
  coordinator: { own: "c0", others: "c1" },
  "pod-07": { own: "p7", others: "p8" },
  "stash-01": { own: "s1", others: "s2" },
};
const servedOf: Readonly<Record<Role, Address>> = { c: "c9", p: "p5", s: "s4" };
const recipientOf = (type: MessageType): Role => type[0] as Role;

/** Returns the message with this address in place of its sender's. */
function inNameOf(message: Message, speaker: Address): Message {
  const number = Number(speaker.slice(1));
  const names: Record<string, unknown> = { podIndex: number, deviceId: number };
  const { type } = message;
  if ("from" in message) names.from = type === "coordinator.loaded" ? speaker : number;
  if ("pod" in message) names.pod = { ...message.pod, podIndex: number };
  if ("entries" in message) names.entries = message.entries.map((each) => ({ ...each, shardIndex: number }));
  const known = Object.entries(names).filter(([name]) => name in message);
  return { ...message, ...Object.fromEntries(known) } as Message;
}

function sampleEnvelope(type: MessageType, from: Address, speaker: Address = from): Envelope {
  const [{ message }] = fc.sample(envelopeArbitrary(type), { seed: 7, numRuns: 1 }) as [Envelope];
  return { from, to: servedOf[recipientOf(type)], message: inNameOf(message, speaker) };
}

const types = Object.keys(sendersOf) as MessageType[];
/** Returns true if a kind contains a statement about a node, which must be the sender. */
const namesItsSpeaker = (type: MessageType): boolean =>
  JSON.stringify(sampleEnvelope(type, "p7").message) !== JSON.stringify(sampleEnvelope(type, "p8").message);

let server: ServerNode;
const speakers = new Map<string, PeerNode>();

async function connectAll(): Promise<void> {
  const ownAddresses = (nodeId: string) => new Set(nodes[nodeId] ? [nodes[nodeId].own] : []);
  const served: ReadonlySet<Address> = new Set(Object.values(servedOf));
  const authorise = authoriseByRole({
    addressesOf: ownAddresses,
    isServed: (address) => served.has(address),
  });
  server = await startServer({ authorise });
  for (const nodeId of Object.keys(nodes)) {
    const identity = { clusterId: "vault", nodeId, bootId: 1 };
    speakers.set(nodeId, startPeer(server.server.port, { identity, keys: makeNodeKeys(nodeId) }));
  }
  await until(() => server.server.nodeIds().length === speakers.size);
}

/** Sends these as a node, and returns how many of each type were accepted and refused. */
async function say(nodeId: string, envelopes: readonly Envelope[]) {
  const before = server.server.snapshot().trespassesTotal;
  const takenBefore = server.received.length;
  for (const envelope of envelopes) speakers.get(nodeId)?.peer.send(envelope);
  const refusedCount = () => {
    const { sender, recipient, role, subject } = server.server.snapshot().trespassesTotal;
    return (
      sender + recipient + role + subject - before.sender - before.recipient - before.role - before.subject
    );
  };
  await until(() => server.received.length - takenBefore + refusedCount() === envelopes.length);
  return { taken: server.received.slice(takenBefore), refusedCount: refusedCount() };
}

test("the table has every kind, and every message not sent by a coordinator names its sender, with one exception", () => {
  expect(types.toSorted()).toEqual(messageTypes.toSorted());
  const nameless = types.filter((type) => !namesItsSpeaker(type) && sendersOf[type] !== "c");
  expect(nameless).toEqual(["coordinator.resolve"]);
});

test("each node can send the messages of its role, and no others", async () => {
  await connectAll();
  for (const [nodeId, { own }] of Object.entries(nodes)) {
    const { taken, refusedCount } = await say(
      nodeId,
      types.map((type) => sampleEnvelope(type, own)),
    );
    const expected = types.filter((type) => sendersOf[type].includes(own[0] as string));
    expect(taken.map(({ message }) => message.type)).toEqual(expected);
    expect(new Set(taken.map((each) => each.nodeId))).toEqual(new Set([nodeId]));
    expect(refusedCount).toBe(types.length - expected.length);
  }
});

test("no node can send messages in the name of another node or about another node", async () => {
  await connectAll();
  const addresses = Object.values(nodes).flatMap(({ own, others }) => [own, others]);
  for (const [nodeId, { own, others }] of Object.entries(nodes)) {
    const asOthers = types.flatMap((type) =>
      addresses.filter((address) => address !== own).map((address) => sampleEnvelope(type, address)),
    );
    const asked = types.filter((type) => sendersOf[type].includes(own[0] as string) && namesItsSpeaker(type));
    const aboutOthers = asked.map((type) => sampleEnvelope(type, own, others));
    const { taken, refusedCount } = await say(nodeId, [...asOthers, ...aboutOthers]);
    expect(taken).toEqual([]);
    expect(refusedCount).toBe(types.length * 5 + aboutOthers.length);
  }
});

test("messages for an address of another node, or for a role that does not receive their kind, are refused", async () => {
  await connectAll();
  for (const [nodeId, { own }] of Object.entries(nodes)) {
    const misdirected = types.flatMap((type) => {
      const { from, message } = sampleEnvelope(type, own);
      const wrong = Object.values(servedOf).filter((address) => address[0] !== recipientOf(type));
      return [...wrong, `${recipientOf(type)}99` as Address].map((to) => ({ from, to, message }));
    });
    expect(await say(nodeId, misdirected)).toEqual({ taken: [], refusedCount: types.length * 3 });
  }
});
