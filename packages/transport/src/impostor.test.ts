/** Tests impostors over real sockets: they get no message, take no name and block no node. */
import { randomBytes } from "node:crypto";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { expect, test } from "vitest";
import { decodeRefusal } from "./codec/handshake.ts";
import type { EncodedFrame } from "./codec/writer.ts";
import { FrameReader } from "./frame-reader.ts";
import type { NodeKeys } from "./node-key.ts";
import { createAuthority } from "./testing/certificates.ts";
import { makeAppend, makeFind } from "./testing/messages.ts";
import {
  afterTest,
  answerBare,
  type Bare,
  callBare,
  introduce,
  makeGreeting,
  makeGreetingAnswer,
  makeNodeKeys,
  nodePrivateKey,
  quick,
  startPeer,
  startServer,
  until,
} from "./testing/nodes.ts";

/** All keys in the vault's file, and a private key that matches none of them. */
const stolen: NodeKeys = { ...makeNodeKeys("coordinator"), own: nodePrivateKey("thief") };

test("a process with the vault's file but no private key gets no byte of a shard by posing as a pod", async () => {
  const heard: Buffer[] = [];
  let endedCount = 0;
  const { port } = await answerBare((socket) => {
    const greeting = makeGreetingAnswer({ keys: stolen });
    const reader = new FrameReader(1_048_576);
    socket.on("close", () => {
      endedCount += 1;
    });
    socket.on("data", (chunk) => {
      heard.push(chunk);
      reader.push(chunk);
      for (
        let frame = reader.next();
        frame !== null && frame.header.type !== "refusal";
        frame = reader.next()
      ) {
        const { slab, start, end } = (greeting.hear(frame) as { frame: EncodedFrame }).frame;
        socket.write(slab.subarray(start, end));
      }
    });
  });
  const secret = randomBytes(32);
  const { peer, events } = startPeer(port, { limits: { ...quick, queueAgeMsMax: 60_000 } });
  peer.send(makeAppend(1, secret));
  await until(() => endedCount >= 2);
  expect(Buffer.concat(heard).includes(secret)).toBe(false);
  expect(peer.isConnected).toBe(false);
  const { refusalsTotal, connectionsTotal, framesSentTotal } = peer.snapshot();
  expect([connectionsTotal, framesSentTotal]).toEqual([0, 0]);
  expect(refusalsTotal.notProved).toBeGreaterThan(0);
  expect(events[0]).toMatchObject({ type: "refused", nodeId: "pod-02", reason: "notProved" });
});

test.each(["thief", "pod-07", "stash-01"])(
  "a caller with the key of %s is refused under another node's name, and counted",
  async (name) => {
    const b = await startServer();
    const a = startPeer(b.server.port, {
      keys: { ...makeNodeKeys("coordinator"), own: nodePrivateKey(name) },
    });
    await until(() => a.peer.snapshot().refusalsByPeerTotal.notProved > 0);
    expect(b.server.snapshot().refusalsTotal.notProved).toBeGreaterThan(0);
    expect([b.server.snapshot().connectionsTotal, b.server.nodeIds(), b.received]).toEqual([0, [], []]);
    expect(b.server.send("coordinator", makeFind(1))).toBe(false);
  },
);

test("a caller without a valid proof does not end the connection of the node whose name it uses", async () => {
  const b = await startServer();
  const a = startPeer(b.server.port);
  await until(() => a.peer.isConnected);
  const refusal = await introduce(await callBare(b.server.port), makeGreeting({ keys: stolen }));
  expect(decodeRefusal(refusal).reason).toBe("notProved");
  a.peer.send(makeFind(1));
  await until(() => b.received.length === 1);
  expect(a.peer.snapshot().connectionsTotal).toBe(1);
});

test("a recorded handshake is refused when it is replayed", async () => {
  const b = await startServer();
  const first = await callBare(b.server.port);
  const said: Buffer[] = [];
  const say = (frame: EncodedFrame) => {
    said.push(Buffer.from(frame.slab.subarray(frame.start, frame.end)));
    first.say(frame);
  };
  expect((await introduce({ ...first, say })).header.type).toBe("welcome");
  const second = await callBare(b.server.port);
  second.socket.write(Buffer.concat(said));
  expect((await second.next()).header.type).toBe("challenge");
  expect(decodeRefusal(await second.next()).reason).toBe("notProved");
  expect(b.server.snapshot().connectionsTotal).toBe(1);
});

test.each([
  ["a hello byte by byte", false],
  ["a whole hello and a proof byte by byte", true],
])("a caller that sends %s is disconnected", async (_name, isIntroduced) => {
  const b = await startServer({ limits: { ...quick, handshakeMsMax: 60 } });
  const { socket, say, next } = await callBare(b.server.port);
  const greeting = makeGreeting();
  const hello = greeting.begin() as EncodedFrame;
  if (isIntroduced) {
    say(hello);
    await next();
  }
  let at = hello.start;
  const drip = setInterval(() => {
    if (at < hello.end - 1) socket.write(hello.slab.subarray(at, at + 1));
    at += 1;
  }, 5);
  afterTest(() => clearInterval(drip));
  await until(() => b.server.snapshot().refusalsTotal.helloTimeout === 1);
  await until(() => socket.destroyed);
  expect(b.server.snapshot().connectionsTotal).toBe(0);
});

test("strangers who hold connections open do not keep nodes out, and the oldest of them are closed first", async () => {
  const b = await startServer({ limits: { ...quick, strangerCountMax: 4, handshakeMsMax: 60_000 } });
  const silent: Bare[] = [];
  for (let count = 0; count < 7; count += 1) silent.push(await callBare(b.server.port));
  await until(() => silent.filter(({ socket }) => socket.destroyed).length === 3);
  expect(silent.map(({ socket }) => socket.destroyed)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  const a = startPeer(b.server.port);
  await until(() => a.peer.isConnected);
  for (let count = 0; count < 5; count += 1) await callBare(b.server.port);
  await until(() => b.server.snapshot().refusalsTotal.tooMany === 8);
  a.peer.send(makeFind(1));
  await until(() => b.received.length === 1);
});

test("a man in the middle of two TLS sessions with valid certificates cannot relay the proofs", async () => {
  const authority = createAuthority("vault authority");
  const [podTls, coordinatorTls] = [authority.issue("pod-02"), authority.issue("coordinator")];
  const b = await startServer({ tls: podTls });
  const relay = createTlsServer({ ...podTls, minVersion: "TLSv1.3" }, (socket) => {
    const onward = connectTls({
      host: "127.0.0.1",
      port: b.server.port,
      servername: "pod-02",
      ...coordinatorTls,
    });
    for (const each of [socket, onward]) each.on("error", () => undefined);
    socket.pipe(onward);
    onward.pipe(socket);
    afterTest(() => {
      socket.destroy();
      onward.destroy();
    });
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  afterTest(() => relay.close());
  const { port } = relay.address() as { port: number };
  const a = startPeer(port, { tls: coordinatorTls });
  await until(() => b.server.snapshot().refusalsTotal.notProved > 0);
  expect([a.peer.isConnected, b.server.nodeIds()]).toEqual([false, []]);
});

test.each(["10.0.0.7", "0.0.0.0", "::", "localhost", "vault.example"])(
  "a node neither listens nor connects by plain TCP at %s",
  async (host) => {
    await expect(startServer({ host })).rejects.toThrow(
      "Without TLS, nodes communicate only between loopback addresses",
    );
    expect(() => startPeer(1, { host })).toThrow(
      "Without TLS, nodes communicate only between loopback addresses",
    );
  },
);
