/** Servers and peers on the loopback, with the messages and events they received, all closed after the test. */
import { createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, vi } from "vitest";
import type { Frame } from "../codec/frame.ts";
import { type EncodedFrame, FrameWriter } from "../codec/writer.ts";
import { FrameReader } from "../frame-reader.ts";
import { Greeting, type GreetingOptions } from "../greeting.ts";
import { createNodeKey, type NodeKeys, readNodeKey } from "../node-key.ts";
import type { Received, TransportEvent, TransportLimits } from "../options.ts";
import { type ConnectOptions, connectTo, type Peer } from "../peer.ts";
import { type ListenOptions, listen, type TransportServer } from "../server.ts";

export const quick: Partial<TransportLimits> = { reconnectMsMin: 5, reconnectMsMax: 50 };

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
export const afterTest = (end: () => unknown): void => void endings.push(end);

export interface Heard {
  readonly received: Received[];
  readonly events: TransportEvent[];
}

export type ServerNode = Heard & { readonly server: TransportServer };
export type PeerNode = Heard & { readonly peer: Peer };

const privateKeys = new Map<string, KeyObject>();

/** Returns the private key of the node with this name, the same throughout a test file. */
export function nodePrivateKey(nodeId: string): KeyObject {
  const key = privateKeys.get(nodeId) ?? readNodeKey(createNodeKey());
  privateKeys.set(nodeId, key);
  return key;
}

/** Returns the keys that this node knows in a vault where every node has a key. */
export function makeNodeKeys(nodeId: string): NodeKeys {
  return { own: nodePrivateKey(nodeId), publicKeyOf: (other) => createPublicKey(nodePrivateKey(other)) };
}

/** Default options of a test: the node "coordinator" calls the node "pod-02". */
function defaults(nodeId: string, heard: Heard) {
  return {
    identity: { clusterId: "vault", nodeId, bootId: 1 },
    keys: makeNodeKeys(nodeId),
    tls: null,
    host: "127.0.0.1",
    authorise: () => null,
    epochOf: () => 1,
    receive: (received: Received) => void heard.received.push(received),
    observe: (event: TransportEvent) => void heard.events.push(event),
    limits: quick,
  };
}

export async function startServer(changes: Partial<ListenOptions> = {}): Promise<ServerNode> {
  const heard: Heard = { received: [], events: [] };
  const server = await listen({ ...defaults("pod-02", heard), port: 0, ...changes });
  afterTest(() => server.close());
  return { ...heard, server };
}

export function startPeer(port: number, changes: Partial<ConnectOptions> = {}): PeerNode {
  const heard: Heard = { received: [], events: [] };
  const peer = connectTo({ ...defaults("coordinator", heard), nodeId: "pod-02", port, ...changes });
  afterTest(() => peer.close());
  return { ...heard, peer };
}

/** Starts a server and a peer, and waits until they are connected. */
export async function startPair(
  serverChanges: Partial<ListenOptions> = {},
  peerChanges: Partial<ConnectOptions> = {},
): Promise<{ a: PeerNode; b: ServerNode }> {
  const b = await startServer(serverChanges);
  const a = startPeer(b.server.port, peerChanges);
  await until(() => a.peer.isConnected && b.server.nodeIds().length === 1);
  return { a, b };
}

export const until = (condition: () => boolean): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 15_000, interval: 2 });

export const writer = new FrameWriter();

export interface Bare {
  readonly socket: Socket;
  readonly say: (frame: EncodedFrame) => void;
  readonly next: () => Promise<Frame>;
}

/** Opens a bare socket to a server, to send data that no peer would. */
export async function callBare(port: number): Promise<Bare> {
  const socket = connect({ host: "127.0.0.1", port });
  afterTest(() => socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
  const reader = new FrameReader(1_048_576);
  socket.on("data", (chunk) => reader.push(chunk));
  socket.on("error", () => undefined);
  const next = async (): Promise<Frame> => {
    let frame: Frame | null = null;
    await until(() => {
      frame = reader.next();
      return frame !== null;
    });
    return frame as unknown as Frame;
  };
  return { socket, say: ({ slab, start, end }) => void socket.write(slab.subarray(start, end)), next };
}

/** Creates the handshake of "coordinator" calling "pod-02", with these changes. */
export function makeGreeting(changes: Partial<GreetingOptions> = {}): Greeting {
  return new Greeting({
    identity: { clusterId: "vault", nodeId: "coordinator", bootId: 1 },
    keys: makeNodeKeys("coordinator"),
    epoch: 1,
    calledNodeId: "pod-02",
    nonce: randomBytes(32).toString("hex"),
    certificate: null,
    channel: new Uint8Array(0),
    ...changes,
  });
}

/** Creates the handshake of "pod-02" when it is called. */
export function makeGreetingAnswer(changes: Partial<GreetingOptions> = {}): Greeting {
  const identity = { clusterId: "vault", nodeId: "pod-02", bootId: 1 };
  return makeGreeting({ identity, keys: makeNodeKeys("pod-02"), calledNodeId: null, ...changes });
}

/** Takes a bare socket through the handshake, up to the frame that answers the proof. */
export async function introduce({ say, next }: Bare, greeting = makeGreeting()): Promise<Frame> {
  say(greeting.begin() as EncodedFrame);
  const reply = greeting.hear(await next());
  if (reply.type !== "say") throw new Error("The server did not ask for a proof.");
  say(reply.frame);
  return await next();
}

/**
 * Performs the server's part of the handshake on a bare socket; resolves once the caller has been welcomed. A caller
 * that times out first calls again.
 */
export function welcomeCaller(socket: Socket): Promise<void> {
  const greeting = makeGreetingAnswer();
  const reader = new FrameReader(1_048_576);
  return new Promise((resolve) => {
    const hear = (chunk: Buffer) => {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        if (frame.header.type === "refusal") {
          socket.destroy();
          return;
        }
        const reply = greeting.hear(frame);
        if (reply.type === "refuse" || reply.frame === null) throw new Error("The caller is not a peer.");
        const { slab, start, end } = reply.frame;
        socket.write(slab.subarray(start, end));
        if (reply.type === "open") {
          socket.off("data", hear);
          resolve();
        }
      }
    };
    socket.on("data", hear);
  });
}

/** Starts a bare server, which handles each connection with the test's function. */
export async function answerBare(
  answer: (socket: Socket) => void,
): Promise<{ port: number; server: Server }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as { port: number }).port, server };
}
