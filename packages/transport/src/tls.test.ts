import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { createAuthority } from "./testing/certificates.ts";
import { makeAppend } from "./testing/messages.ts";
import { afterTest, startPair, startPeer, startServer, until } from "./testing/nodes.ts";

const authority = createAuthority("vault authority");
const stranger = createAuthority("another authority");
const podTls = authority.issue("pod-02");
const coordinatorTls = authority.issue("coordinator");

test("nodes with certificates of one authority communicate by TLS 1.3", async () => {
  const { a, b } = await startPair({ tls: podTls }, { tls: coordinatorTls });
  for (let number = 0; number < 40; number += 1) {
    a.peer.send(makeAppend(number, new Uint8Array(65_536).fill(number)));
    b.server.send("coordinator", makeAppend(number, new Uint8Array(90_000).fill(number)));
  }
  await until(() => b.received.length === 40 && a.received.length === 40);
  for (const { received } of [a, b]) {
    const payloads = received.map(({ message }) => message.type === "pod.append" && message.shard.payload[9]);
    expect(payloads).toEqual(Array.from({ length: 40 }, (_, number) => number));
  }
  expect(new Set(b.received.map(({ nodeId }) => nodeId))).toEqual(new Set(["coordinator"]));
});

test("a client with another authority's certificate is refused, and reports the likely reason", async () => {
  const b = await startServer({ tls: podTls });
  const tls = { ...stranger.issue("coordinator"), ca: coordinatorTls.ca };
  const a = startPeer(b.server.port, { tls });
  await until(() => b.server.snapshot().refusalsTotal.tls > 0);
  await until(() => a.events.length > 0);
  expect(a.events[0]).toMatchObject({
    type: "unreachable",
    text: expect.stringContaining("It may not trust this node's certificate."),
  });
  expect([b.server.snapshot().connectionsTotal, b.server.nodeIds()]).toEqual([0, []]);
});

test("a server with another authority's certificate is refused by the client", async () => {
  const b = await startServer({ tls: { ...stranger.issue("pod-02"), ca: podTls.ca } });
  const a = startPeer(b.server.port, { tls: coordinatorTls });
  await until(() => a.peer.snapshot().refusalsTotal.tls > 0);
  expect(b.server.snapshot().connectionsTotal).toBe(0);
});

test("a node with a name other than in its certificate is refused", async () => {
  const b = await startServer({ tls: podTls });
  const a = startPeer(b.server.port, { tls: authority.issue("pod-07") });
  await until(() => a.peer.snapshot().refusalsByPeerTotal.notCertified > 0);
  expect(b.server.snapshot().refusalsTotal.notCertified).toBeGreaterThan(0);
  expect(b.events.find(({ type }) => type === "refused")).toMatchObject({ nodeId: "coordinator" });
});

test("a certificate with a pattern names no node", async () => {
  const b = await startServer({ tls: authority.issue("*.vault") });
  const tls = authority.issue("coordinator");
  const a = startPeer(b.server.port, { tls, nodeId: "pod-02.vault" });
  await until(() => a.peer.snapshot().refusalsTotal.notCertified > 0);
});

test("the client refuses a different node of the vault at the address", async () => {
  const b = await startServer({ tls: authority.issue("pod-03") });
  const a = startPeer(b.server.port, { tls: coordinatorTls });
  await until(() => a.peer.snapshot().refusalsTotal.notCertified > 0);
  expect(a.events[0]).toMatchObject({
    type: "refused",
    text: expect.stringContaining(`does not name the node "pod-02".`),
  });
});

const clients = [
  ["TLS 1.2", { maxVersion: "TLSv1.2", ...coordinatorTls }],
  ["no certificate", { ca: coordinatorTls.ca }],
] as const;

test.each(clients)("a client with %s is refused", async (_name, options) => {
  const b = await startServer({ tls: podTls });
  const socket = connectTls({ host: "127.0.0.1", port: b.server.port, servername: "pod-02", ...options });
  afterTest(() => socket.destroy());
  const error = await new Promise<Error>((resolve) => socket.once("error", resolve));
  expect(error.message).toMatch(/alert protocol version|certificate required/);
  await until(() => b.server.snapshot().refusalsTotal.tls === 1);
});

test("a client without TLS is refused, and a server without TLS gets no connection", async () => {
  const withTls = await startServer({ tls: podTls });
  const plain = startPeer(withTls.server.port);
  await until(() => withTls.server.snapshot().refusalsTotal.tls > 0);
  expect(plain.peer.isConnected).toBe(false);
  const without = await startServer();
  const a = startPeer(without.server.port, { tls: coordinatorTls });
  await until(() => without.server.snapshot().refusalsTotal.frame > 0);
  expect(a.peer.snapshot().connectionsTotal).toBe(0);
});

test("a server closes although a client is in the middle of a TLS handshake", async () => {
  const b = await startServer({ tls: podTls });
  const a = startPeer(b.server.port, { tls: coordinatorTls });
  await b.server.close();
  await a.peer.close();
});
