/** Servers and peers on the loopback, with what they received and told, and all ended after the test. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, vi } from "vitest";
import type { Frame } from "../codec/frame.ts";
import { type EncodedFrame, FrameWriter } from "../codec/writer.ts";
import { FrameReader } from "../frame-reader.ts";
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

/** What both ends have unless a test says otherwise: the node "coordinator" calls the node "pod-02". */
function defaults(nodeId: string, heard: Heard) {
  return {
    identity: { clusterId: "vault", nodeId, bootId: 1 },
    tls: null,
    host: "127.0.0.1",
    authorise: () => null,
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

/** Both connected. */
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

/** A bare socket to a server, to say what no peer would. */
export async function callBare(port: number): Promise<{
  socket: Socket;
  say: (frame: EncodedFrame) => void;
  next: () => Promise<Frame>;
}> {
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

/** A bare server, which does with each connection what the test says. */
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
