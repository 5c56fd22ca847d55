import type { Address } from "@stashlight/write-path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { authoriseByRole } from "./authorisation.ts";
import type { Envelope } from "./codec/messages.ts";
import type { Trespass } from "./options.ts";
import { allTypes, anyEnvelope, makeAppend } from "./testing/messages.ts";
import { startPair, until } from "./testing/nodes.ts";

const uploadId = "ab".repeat(16);
const addresses: Record<string, readonly Address[]> = {
  coordinator: ["c0"],
  "pod-02": ["p2", "p3"],
  "stash-01": ["s1"],
};
const authorise = authoriseByRole({
  addressesOf: (nodeId) => new Set(addresses[nodeId]),
  isServed: (address) => ["c0", "p5", "s4"].includes(address),
});

function purge(from: Address, podIndex: number, shardIndex: number): Envelope {
  const pod = { podIndex, driveId: "drive", bootId: 1 };
  const entries = [podIndex, shardIndex].map((index) => ({ uploadId, shardIndex: index, payloadCrc: 1 }));
  return { from, to: "s4", message: { type: "stash.purge", pod, epoch: 1, entries } };
}

const load: Envelope = { from: "c0", to: "p5", message: { type: "pod.load", requestId: 1, uploadId } };
const announce: Envelope = { from: "s1", to: "p5", message: { type: "pod.announce", deviceId: 1 } };
const loaded: Envelope = {
  from: "s1",
  to: "c0",
  message: { type: "coordinator.loaded", requestId: 1, from: "s1", shards: [], missingReason: null },
};
const { message: append } = makeAppend(1, new Uint8Array(0));

const rows: [string, string, Envelope, Trespass | null][] = [
  ["a pod purges its own shards", "pod-02", purge("p2", 2, 2), null],
  ["each pod of a node purges its own", "pod-02", purge("p3", 3, 3), null],
  ["no pod purges another's shard", "pod-02", purge("p2", 2, 3), "subject"],
  ["no pod purges in another's name", "pod-02", purge("p2", 3, 3), "subject"],
  ["no node sends as another's pod", "pod-02", purge("p7", 7, 7), "sender"],
  ["no stash device purges", "stash-01", { ...purge("p2", 2, 2), from: "s1" }, "role"],
  ["no coordinator purges", "coordinator", { ...purge("p2", 2, 2), from: "c0" }, "role"],
  ["an unknown node may send nothing", "stranger", purge("p2", 2, 2), "sender"],
  ["a coordinator loads", "coordinator", load, null],
  ["a pod does not load", "pod-02", { ...load, from: "p2" }, "role"],
  ["a message to another node's pod is not for this node", "coordinator", { ...load, to: "p6" }, "recipient"],
  ["a message to a pod is not for a stash device", "coordinator", { ...load, to: "s4" }, "recipient"],
  ["a pod takes shards from coordinators only", "pod-02", { from: "p2", to: "p5", message: append }, "role"],
  ["a device announces for itself", "stash-01", announce, null],
  [
    "and for no other",
    "stash-01",
    { ...announce, message: { type: "pod.announce", deviceId: 2 } },
    "subject",
  ],
  ["a device gives what it loaded", "stash-01", loaded, null],
  ["a pod gives what it loaded, in its own name", "pod-02", { ...loaded, from: "p2" }, "subject"],
];

test.each(rows)("a message is authorised by its sender: %s", (_name, nodeId, envelope, expected) => {
  expect(authorise({ nodeId, ...envelope })).toBe(expected);
});

test("a node may use only its own addresses in any message, and the rules cover every kind", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyEnvelope, fc.constantFrom("c0", "p2", "s1", "p9"), (envelope, from) => {
      seen.add(envelope.message.type);
      const to: Address =
        `${{ c: "c0", p: "p5", s: "s4" }[envelope.message.type[0] as "c" | "p" | "s"]}` as Address;
      const trespass = authorise({ nodeId: "pod-02", from: from as Address, to, message: envelope.message });
      expect(trespass === "sender").toBe(from !== "p2");
    }),
    { numRuns: 1_000 },
  );
  expect(seen.size).toBe(allTypes.length);
});

test("a stranger's purge is refused, counted and reported, and the connection and its other messages survive", async () => {
  const { a, b } = await startPair(
    { authorise: authoriseByRole({ addressesOf: () => new Set(["p2"]), isServed: () => true }) },
    {},
  );
  a.peer.send(purge("p2", 2, 7));
  a.peer.send(purge("p7", 7, 7));
  a.peer.send(purge("p2", 2, 2));
  await until(() => b.received.length === 1);
  expect(b.received[0]?.message).toMatchObject({ pod: { podIndex: 2 }, entries: [{ shardIndex: 2 }, {}] });
  expect(b.server.snapshot().trespassesTotal).toEqual({ sender: 1, recipient: 0, role: 0, subject: 1 });
  expect(b.events.filter(({ type }) => type === "trespass")).toMatchObject([
    { nodeId: "coordinator", trespass: "subject", message: "stash.purge", from: "p2" },
    { nodeId: "coordinator", trespass: "sender", message: "stash.purge", from: "p7" },
  ]);
  expect(a.peer.isConnected).toBe(true);
});
