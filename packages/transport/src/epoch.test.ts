/** A node that returns with an older epoch of the vault's file is kept out until it has learnt of the current one. */
import { expect, test } from "vitest";
import { makeFind } from "./testing/messages.ts";
import { startPair, startPeer, startServer, until } from "./testing/nodes.ts";

const at = (epoch: number) => ({ epochOf: () => epoch });

test("a caller with an older epoch is refused with a message, and one with the same epoch is accepted", async () => {
  const b = await startServer(at(4));
  const a = startPeer(b.server.port, at(3));
  await until(() => a.events.some(({ type }) => type === "refusedByPeer"));
  expect(a.events.find(({ type }) => type === "refusedByPeer")).toMatchObject({
    reason: "olderEpoch",
    text: `The node "coordinator" has epoch 3 of the vault's file, and epoch 4 is in force; a coordinator will send it.`,
  });
  expect([a.peer.isConnected, b.server.nodeIds()]).toEqual([false, []]);
  await startPair(at(4), at(4));
});

test("a called node with an older epoch is refused by its caller", async () => {
  const b = await startServer(at(3));
  const a = startPeer(b.server.port, at(4));
  await until(() => a.peer.snapshot().refusalsTotal.olderEpoch > 0);
  expect(a.peer.isConnected).toBe(false);
});

test("a connection survives a change of epoch if the other side learns of it, and is ended otherwise", async () => {
  const epochs = { a: 1, b: 1 };
  const { a, b } = await startPair({ epochOf: () => epochs.b }, { epochOf: () => epochs.a });
  epochs.a = 2;
  epochs.b = 2;
  b.server.tellEpoch();
  a.peer.tellEpoch();
  a.peer.send(makeFind(1));
  b.server.send("coordinator", makeFind(2));
  await until(() => a.received.length > 0 && b.received.length > 0);
  b.server.refuseOlderEpochs();
  a.peer.refuseOlderEpoch();
  expect([a.peer.isConnected, b.server.nodeIds()]).toEqual([true, ["coordinator"]]);
  epochs.b = 3;
  b.server.refuseOlderEpochs();
  await until(() => a.peer.snapshot().refusalsByPeerTotal.olderEpoch > 0);
});
