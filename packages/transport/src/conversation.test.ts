/** Tests two well-behaved nodes over real sockets. */
import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { makeAppend, makeFind } from "./testing/messages.ts";
import { quick, startPair, startPeer, startServer, until } from "./testing/nodes.ts";

test("messages arrive whole, once and in order, both ways", async () => {
  const { a, b } = await startPair();
  const messages = Array.from({ length: 3_000 }, (_, number) =>
    number % 3 === 0 ? makeAppend(number, randomBytes(number)) : makeFind(number),
  );
  for (const envelope of messages) {
    expect(a.peer.send(envelope)).toBe(true);
    expect(b.server.send("coordinator", envelope)).toBe(true);
  }
  await until(() => a.received.length >= messages.length && b.received.length >= messages.length);
  const from = (nodeId: string) => messages.map((envelope) => ({ nodeId, ...envelope }));
  expect(b.received).toEqual(from("coordinator").map(plain));
  expect(a.received).toEqual(from("pod-02").map(plain));
  const [sent, taken] = [a.peer.snapshot(), b.server.snapshot()];
  expect(sent.framesSentTotal).toBe(3_000);
  expect([sent.queuedBytes, sent.queuedCount]).toEqual([0, 0]);
  expect(taken.connectionCount).toBe(1);
});

/** Converts payloads to plain arrays of the type in which they are received: views, not Buffers. */
function plain<Value>(value: Value): Value {
  return structuredClone(value);
}

test("payloads of megabytes arrive whole, although a socket takes them piece by piece", async () => {
  const { a, b } = await startPair();
  const payloads = [8_388_608, 1, 4_194_304, 0, 65_536].map((length) => randomBytes(length));
  let releasedCount = 0;
  for (const [number, payload] of payloads.entries()) {
    a.peer.send(makeAppend(number, payload), () => {
      releasedCount += 1;
    });
  }
  await until(() => b.received.length === payloads.length);
  for (const [number, payload] of payloads.entries()) {
    const message = b.received[number]?.message;
    const received = message?.type === "pod.append" ? message.shard.payload : null;
    expect(received !== null && Buffer.compare(received, payload)).toBe(0);
  }
  await until(() => releasedCount === payloads.length);
});

test("messages sent in one turn of the event loop go out in few writes", async () => {
  const { a, b } = await startPair();
  const writes = vi.spyOn(Socket.prototype, "write");
  for (let number = 0; number < 400; number += 1) a.peer.send(makeFind(number));
  expect(writes).not.toHaveBeenCalled();
  await until(() => b.received.length === 400);
  // A slow machine also sends many pings, which are far smaller and written individually.
  const lengths = writes.mock.calls.map(([bytes]) => (bytes as Uint8Array).length);
  const batches = lengths.filter((length) => length > 1000);
  expect(batches.length).toBeLessThan(10);
  expect(batches.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(400 * 60);
  writes.mockRestore();
});

test("messages sent before the server is up are not lost if it starts soon", async () => {
  const first = await startServer();
  const { port } = first.server;
  await first.server.close();
  const limits = { ...quick, queueAgeMsMax: 60_000 };
  const { peer, events } = startPeer(port, { limits });
  peer.send(makeFind(1));
  await until(() => events.some(({ type }) => type === "unreachable"));
  const { received } = await startServer({ port });
  await until(() => received.length === 1);
});

test("messages that waited too long for a connection are dropped and released", async () => {
  const first = await startServer();
  const { port } = first.server;
  await first.server.close();
  const { peer } = startPeer(port, { limits: { ...quick, queueAgeMsMax: 20 } });
  let isReleased = false;
  peer.send(makeAppend(1, new Uint8Array(100)), () => {
    isReleased = true;
  });
  await until(() => isReleased);
  expect(peer.snapshot().dropsTotal.tooOld).toBe(1);
});

test("a list queued while its node is away has no delimiter, because the node may return with an earlier version", async () => {
  const first = await startServer();
  const { port } = first.server;
  const { peer, events } = startPeer(port, { limits: { ...quick, queueAgeMsMax: 60_000 } });
  const range = { bucket: "photos", prefix: "", after: "", keyCountMax: 1000, delimiter: "/" };
  const message = { type: "pod.list", requestId: 1, ...range, isBrief: false } as const;
  const list = { from: "c0", to: "p1", message } as const;
  peer.send(makeFind(1));
  await until(() => first.received.length === 1);
  peer.send(list);
  await until(() => first.received.length === 2);
  await first.server.close();
  await until(() => events.some(({ type }) => type === "unreachable"));
  peer.send(list);
  const { received } = await startServer({ port });
  await until(() => received.length === 1);
  const delimiters = [...first.received, ...received].flatMap(({ message }) =>
    "delimiter" in message ? [message.delimiter] : [],
  );
  expect(delimiters).toEqual(["/", ""]);
});

test("a message to a node that is not connected is dropped, counted and released", async () => {
  const { server } = await startServer();
  let isReleased = false;
  const isSent = server.send("coordinator", makeFind(1), () => {
    isReleased = true;
  });
  expect([isSent, isReleased, server.snapshot().dropsTotal.notConnected]).toEqual([false, true, 1]);
});

test("closing sends queued messages, and accepts no more", async () => {
  const { a, b } = await startPair();
  for (let number = 0; number < 50; number += 1) a.peer.send(makeFind(number));
  await a.peer.close();
  await until(() => b.received.length === 50);
  expect(a.peer.send(makeFind(51))).toBe(false);
  await until(() => b.server.nodeIds().length === 0);
});

test("a ping measures the round trip", async () => {
  const { a } = await startPair({}, { limits: { ...quick, pingEveryMs: 5 } });
  await until(() => a.peer.snapshot().roundTripUs !== null);
  expect(a.peer.snapshot().roundTripUs).toBeLessThan(5_000_000);
});
