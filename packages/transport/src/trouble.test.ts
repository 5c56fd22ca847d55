/** Tests connections that break, hang and clog, over real sockets. */
import { expect, test } from "vitest";
import { makeAppend, makeFind } from "./testing/messages.ts";
import {
  answerBare,
  quick,
  startPair,
  startPeer,
  startServer,
  until,
  welcomeCaller,
} from "./testing/nodes.ts";

const requestIds = (received: readonly { message: object }[]) =>
  received.map(({ message }) => ("requestId" in message ? message.requestId : null));

test("a peer reconnects after its server has restarted", async () => {
  const { a, b } = await startPair();
  const { port } = b.server;
  await b.server.close();
  await until(() => !a.peer.isConnected);
  const again = await startServer({ port });
  await until(() => a.peer.isConnected);
  a.peer.send(makeFind(1));
  await until(() => again.received.length === 1);
  const { connectionsTotal, reconnectsTotal } = a.peer.snapshot();
  expect([connectionsTotal, reconnectsTotal]).toEqual([2, 1]);
});

test("a server that stops answering is detected, disconnected and called again", async () => {
  let calls = 0;
  const { port } = await answerBare((socket) => {
    calls += 1;
    void welcomeCaller(socket).then(() => socket.resume());
  });
  const { peer, events } = startPeer(port, { limits: { ...quick, pingEveryMs: 10, silenceMsMax: 60 } });
  let isReleased = false;
  await until(() => peer.isConnected);
  peer.send(makeAppend(1, new Uint8Array(10)), () => {
    isReleased = true;
  });
  await until(() => peer.snapshot().silencesTotal > 0 && calls > 1);
  expect(isReleased).toBe(true);
  const told = events.find(({ type }) => type === "disconnected");
  expect(told).toMatchObject({
    text: expect.stringMatching(/^The other side has been silent for \d+ ms\.$/),
  });
});

test("a node that merely does not read is not considered hung", async () => {
  const limits = { ...quick, pingEveryMs: 10, silenceMsMax: 80 };
  const { a, b } = await startPair({ limits }, { limits });
  b.server.pause();
  a.peer.send(makeFind(1));
  const pausedAtMs = performance.now();
  await until(() => performance.now() - pausedAtMs > 400);
  b.server.resume();
  await until(() => b.received.length === 1);
  expect([a.peer.snapshot().reconnectsTotal, b.server.snapshot().silencesTotal]).toEqual([0, 0]);
});

test("a receiver that cannot keep up slows the sender, whose memory is bounded and whose drops are counted", async () => {
  const queueBytesMax = 2_097_152;
  const { a, b } = await startPair({}, { limits: { ...quick, queueBytesMax } });
  b.server.pause();
  const payload = new Uint8Array(65_536);
  const accepted: number[] = [];
  let releasedCount = 0;
  let number = 0;
  let heldBytesMax = 0;
  const send = () => {
    const isQueued = a.peer.send(makeAppend(number, payload), () => {
      releasedCount += 1;
    });
    if (isQueued) accepted.push(number);
    number += 1;
    heldBytesMax = Math.max(heldBytesMax, a.peer.snapshot().queuedBytes);
    return number >= 2_000;
  };
  await until(() => Array.from({ length: 20 }, send).includes(true));
  const { dropsTotal, queuedBytes } = a.peer.snapshot();
  expect(heldBytesMax).toBeLessThanOrEqual(queueBytesMax);
  expect(queuedBytes).toBeGreaterThan(queueBytesMax / 2);
  expect(dropsTotal.queueFull).toBe(2_000 - accepted.length);
  expect(dropsTotal.queueFull).toBeGreaterThan(1_000);
  expect(b.received.length).toBeLessThan(10);
  b.server.resume();
  await until(() => b.received.length === accepted.length);
  const crcs = b.received.map(({ message }) =>
    message.type === "pod.append" ? message.shard.payloadCrc : -1,
  );
  expect(crcs).toEqual(accepted);
  await until(() => releasedCount === 2_000);
});

test("a receiver may pause within a message, and gets the next one only after it has resumed", async () => {
  const seen: number[] = [];
  const b = await startServer({
    receive: ({ message }) => {
      seen.push(message.type === "pod.find" ? message.requestId : -1);
      b.server.pause();
    },
  });
  const a = startPeer(b.server.port);
  for (let number = 0; number < 5; number += 1) a.peer.send(makeFind(number));
  for (let count = 1; count <= 5; count += 1) {
    await until(() => seen.length === count);
    b.server.resume();
  }
  expect(seen).toEqual([0, 1, 2, 3, 4]);
  expect(b.server.snapshot().pausesTotal).toBe(5);
});

test("connections opened during a pause are paused too", async () => {
  const b = await startServer();
  b.server.pause();
  const a = startPeer(b.server.port);
  await until(() => a.peer.isConnected);
  for (let number = 0; number < 3; number += 1) a.peer.send(makeFind(number));
  await until(() => a.peer.snapshot().queuedCount === 0);
  expect(b.received).toEqual([]);
  b.server.resume();
  await until(() => b.received.length === 3);
  expect(requestIds(b.received)).toEqual([0, 1, 2]);
});

test("a node that connects again replaces its former connection", async () => {
  const { a, b } = await startPair();
  const second = startPeer(b.server.port, { limits: { reconnectMsMin: 60_000, reconnectMsMax: 60_000 } });
  await until(() => second.peer.isConnected);
  await until(() => a.events.some(({ type }) => type === "disconnected"));
  await a.peer.close();
  await until(() => b.server.snapshot().connectionCount <= 1);
});

test("messages in the socket when the connection broke are lost, counted and released", async () => {
  const { port } = await answerBare((socket) => {
    void welcomeCaller(socket).then(() => socket.once("data", () => socket.destroy()));
  });
  let releasedCount = 0;
  const { peer } = startPeer(port, { limits: { ...quick, reconnectMsMin: 60_000, reconnectMsMax: 60_000 } });
  for (let number = 0; number < 100; number += 1) {
    peer.send(makeAppend(number, new Uint8Array(100_000)), () => {
      releasedCount += 1;
    });
  }
  await until(() => peer.snapshot().connectionsTotal === 1 && !peer.isConnected);
  const { dropsTotal, framesSentTotal, queuedCount } = peer.snapshot();
  expect(dropsTotal.lost + dropsTotal.tooOld + framesSentTotal + queuedCount).toBe(100);
  await peer.close();
  expect(releasedCount).toBe(100);
});
