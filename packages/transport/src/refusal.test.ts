/** Tests peers with a wrong identity or a wrong protocol, over real sockets. */
import { expect, test } from "vitest";
import { PROTOCOL_VERSION, sealHeader } from "./codec/frame.ts";
import { decodeRefusal, encodeHello, type Hello, type RefusalReason } from "./codec/handshake.ts";
import { encodeMessage } from "./codec/messages.ts";
import { FrameWriter } from "./codec/writer.ts";
import { makeFind } from "./testing/messages.ts";
import {
  callBare,
  introduce,
  makeNodeKeys,
  quick,
  type ServerNode,
  startPeer,
  startServer,
  until,
  writer,
} from "./testing/nodes.ts";

const nonce = "5a".repeat(32);
const hello: Hello = {
  clusterId: "vault",
  nodeId: "coordinator",
  expectedNodeId: "pod-02",
  bootId: 1,
  epoch: 1,
  nonce,
};
const ids = { clusterId: "vault", nodeId: "coordinator", bootId: 1 };

const strangers: [RefusalReason, Parameters<typeof startPeer>[1], RegExp][] = [
  [
    "foreignCluster",
    { identity: { ...ids, clusterId: "attic" } },
    /^The node "coordinator" belongs to the cluster "attic", and this node to another\.$/,
  ],
  ["wrongNode", { nodeId: "pod-03" }, /^The node "pod-03" was called, but this is "pod-02"\.$/],
  [
    "unknownNode",
    { identity: { ...ids, nodeId: "intruder" } },
    /^The node "intruder" is not part of this vault\.$/,
  ],
];

test.each(strangers)(
  "a stranger is refused with the reason %s, counted on both sides, and disconnected",
  async (reason, changes, text) => {
    const { own, publicKeyOf } = makeNodeKeys("pod-02");
    const knownOnly = (nodeId: string) => (nodeId === "coordinator" ? publicKeyOf(nodeId, null) : null);
    const b = await startServer({ keys: { own, publicKeyOf: knownOnly } });
    const a = startPeer(b.server.port, changes);
    await until(() => a.events.some(({ type }) => type === "refusedByPeer"));
    expect(a.events.find(({ type }) => type === "refusedByPeer")).toMatchObject({
      reason,
      text: expect.stringMatching(text),
    });
    expect(a.peer.snapshot().refusalsByPeerTotal[reason]).toBeGreaterThan(0);
    expect(b.server.snapshot().refusalsTotal[reason]).toBeGreaterThan(0);
    expect([a.peer.isConnected, b.server.nodeIds(), b.received]).toEqual([false, [], []]);
  },
);

const strangeVersions = [
  { own: PROTOCOL_VERSION + 2, oldest: PROTOCOL_VERSION + 1, named: "versions 9 to 10" },
  { own: 6, oldest: 6, named: "version 6" },
];

test.each(strangeVersions)(
  "a node that speaks $named is refused with the advice to upgrade one version at a time",
  async ({ named, ...versions }) => {
    const b = await startServer();
    const { say, next } = await callBare(b.server.port);
    say(encodeHello(writer, "hello", hello, versions));
    expect(decodeRefusal(await next())).toEqual({
      reason: "protocolVersion",
      text: `The other side speaks the protocol's ${named}, and this node versions 7 to 8; upgrade one version at a time.`,
    });
    expect(b.server.snapshot().refusalsTotal.protocolVersion).toBe(1);
  },
);

test("a node of the next version that still speaks this one is accepted", async () => {
  const b = await startServer();
  const { say, next } = await callBare(b.server.port);
  say(encodeHello(writer, "hello", hello, { own: PROTOCOL_VERSION + 1, oldest: PROTOCOL_VERSION }));
  expect((await next()).header.type).toBe("challenge");
});

test("a connection that sends nothing is closed", async () => {
  const b = await startServer({ limits: { handshakeMsMax: 30 } });
  const { next } = await callBare(b.server.port);
  expect(decodeRefusal(await next()).reason).toBe("helloTimeout");
  expect(b.server.snapshot().refusalsTotal.helloTimeout).toBe(1);
});

/** Returns the server's answer before it closes the connection, after checking that it accepted nothing. */
async function refusedAsFrame(b: ServerNode, speak: (bare: Awaited<ReturnType<typeof callBare>>) => unknown) {
  const bare = await callBare(b.server.port);
  const closed = new Promise((resolve) => bare.socket.once("close", resolve));
  await speak(bare);
  const { reason, text } = decodeRefusal(await bare.next());
  await closed;
  expect(reason).toBe("frame");
  expect(b.server.snapshot().refusalsTotal.frame).toBe(1);
  expect(b.received).toEqual([]);
  return text;
}

test("connections above the limit are dropped and counted, and those below it are kept", async () => {
  const b = await startServer({ limits: { connectionCountMax: 1 } });
  const a = startPeer(b.server.port);
  await until(() => a.peer.isConnected);
  const { socket } = await callBare(b.server.port);
  await until(() => socket.destroyed);
  expect(b.server.snapshot().refusalsTotal.tooMany).toBe(1);
  a.peer.send(makeFind(1));
  await until(() => b.received.length === 1);
});

test("a port in use is reported as an error of listening", async () => {
  const { server } = await startServer();
  await expect(startServer({ port: server.port })).rejects.toThrow("EADDRINUSE");
});

test("a client of another protocol is refused by its first bytes", async () => {
  const text = await refusedAsFrame(await startServer(), ({ socket }) =>
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
  );
  expect(text).toBe("The bytes are not a frame of this protocol; check the port.");
});

test("a message before the hello is refused", async () => {
  const text = await refusedAsFrame(await startServer(), ({ say }) =>
    say(encodeMessage(writer, makeFind(1))),
  );
  expect(text).toBe("Received a message instead of a hello.");
});

test("large frames from a stranger, and frames above the limit from a verified node, are refused", async () => {
  const sizes = { headBytes: 0, payloadBytes: 5_000 };
  const nobody = { role: 0, number: 0 };
  const header = Buffer.alloc(32);
  sealHeader(header, 0, { type: "hello", kind: 0, ...sizes, from: nobody, to: nobody });
  const strange = await refusedAsFrame(await startServer(), ({ socket }) => socket.write(header));
  expect(strange).toBe("A frame of 5032 bytes was announced; at most 4096 are accepted.");
  const friendly = await startServer({ limits: { frameBytesMax: 5_000 } });
  const text = await refusedAsFrame(friendly, async (bare) => {
    expect((await introduce(bare)).header.type).toBe("welcome");
    bare.socket.write(header);
  });
  expect(text).toBe("A frame of 5032 bytes was announced; at most 5000 are accepted.");
});

test("a damaged message closes the connection, and the earlier ones are kept", async () => {
  const b = await startServer();
  const bare = await callBare(b.server.port);
  await introduce(bare);
  const { socket, say, next } = bare;
  say(encodeMessage(writer, makeFind(1)));
  const { slab, start, end } = encodeMessage(new FrameWriter(), makeFind(2));
  slab[end - 1] = (slab[end - 1] as number) ^ 1;
  socket.write(slab.subarray(start, end));
  const { text } = decodeRefusal(await next());
  expect(text).toBe("A frame's head fails its checksum.");
  expect(b.received.length).toBe(1);
  await until(() => b.server.nodeIds().length === 0);
});

test("a receiver's error is not mistaken for the sender's", async () => {
  const failure = new Error("A broken invariant.");
  const thrown = new Promise((resolve) => {
    const listeners = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => {
      for (const listener of listeners) process.on("uncaughtException", listener);
      resolve(error);
    });
  });
  const b = await startServer({
    receive: () => {
      throw failure;
    },
  });
  const a = startPeer(b.server.port, { limits: quick });
  a.peer.send(makeFind(1));
  expect(await thrown).toBe(failure);
});
