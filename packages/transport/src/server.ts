import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import type { Envelope } from "./codec/messages.ts";
import { type Counters, createCounters, type TransportSnapshot, takeSnapshot } from "./counters.ts";
import { isNodeId } from "./handshake.ts";
import { Link } from "./link.ts";
import { assertSecrecy } from "./loopback.ts";
import { type Credentials, defaultLimits, type EndpointOptions, type TransportLimits } from "./options.ts";
import { Outbox, type Released } from "./outbox.ts";

export interface ListenOptions extends EndpointOptions {
  readonly host: string;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
}

export interface TransportServer {
  readonly port: number;
  /** Returns the ids of connected nodes. */
  nodeIds(): string[];
  /**
   * Sends over the connection that the node made; returns false if there is none or its queue is full, in which case
   * the message is lost. `released` is always called once, when the message's payloads are no longer read.
   */
  send(nodeId: string, envelope: Envelope, released?: Released): boolean;
  /** Stops reading from all nodes, for a receiver that cannot keep up. */
  pause(): void;
  resume(): void;
  snapshot(): TransportSnapshot;
  /** Replaces the credentials of later connections. It can neither enable nor disable TLS. */
  renew(credentials: Credentials): void;
  /** Sends the current epoch of this node, which has changed. */
  tellEpoch(): void;
  /** Ends connections with nodes that have not learnt of the current epoch. */
  refuseOlderEpochs(): void;
  close(): Promise<void>;
}

/** Waits for other nodes to connect. */
export async function listen(options: ListenOptions): Promise<TransportServer> {
  const { nodeId } = options.identity;
  assert(isNodeId(nodeId), `A node id is lower-case letters, digits, dots and dashes; "${nodeId}" is not.`);
  assertSecrecy(options);
  const server = new NodeServer(options);
  await server.start();
  return server;
}

interface Guest {
  readonly link: Link;
  readonly outbox: Outbox;
}

class NodeServer implements TransportServer {
  #options: ListenOptions;
  readonly #limits: TransportLimits;
  readonly #counters: Counters = createCounters();
  readonly #server: Server;
  /** All connections, including those still in their handshake. */
  readonly #sockets = new Set<Socket>();
  /** Connections whose other side is not verified yet, by address, oldest first. */
  readonly #strangers = new Map<string, Socket>();
  readonly #links = new Set<Link>();
  /** The latest connection of each node. */
  readonly #guests = new Map<string, Guest>();
  #isPaused = false;
  #closing: Promise<void> | null = null;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#server = this.#createServer();
    this.#server.maxConnections = this.#limits.connectionCountMax;
    this.#server.on("drop", () => {
      this.#counters.refusalsTotal.tooMany += 1;
      const text = `There are already ${this.#limits.connectionCountMax} connections, which is the limit.`;
      this.#options.observe?.({ type: "refused", nodeId: null, reason: "tooMany", text });
    });
    this.#server.on("connection", (socket: Socket) => {
      const place = peerAddress(socket);
      this.#sockets.add(socket);
      this.#strangers.set(place, socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        if (this.#strangers.get(place) === socket) this.#strangers.delete(place);
      });
      this.#makeRoomForStrangers();
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  start(): Promise<void> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        this.#server.on("error", (error) => {
          const text = `A connection could not be accepted: ${error.message}.`;
          this.#options.observe?.({ type: "acceptFailed", text });
        });
        resolve();
      });
    });
  }

  nodeIds(): string[] {
    return [...this.#guests.keys()];
  }

  send(nodeId: string, envelope: Envelope, released?: Released): boolean {
    const guest = this.#guests.get(nodeId);
    if (!guest) {
      this.#counters.dropsTotal.notConnected += 1;
      released?.();
      return false;
    }
    const isQueued = guest.outbox.push(envelope, released);
    if (isQueued) guest.link.scheduleFlush();
    return isQueued;
  }

  pause(): void {
    this.#isPaused = true;
    for (const { link } of this.#guests.values()) link.pause();
  }

  resume(): void {
    this.#isPaused = false;
    for (const { link } of this.#guests.values()) link.resume();
  }

  tellEpoch(): void {
    for (const { link } of this.#guests.values()) link.tellEpoch();
  }

  refuseOlderEpochs(): void {
    for (const { link } of [...this.#guests.values()]) link.refuseOlderEpoch();
  }

  snapshot(): TransportSnapshot {
    const guests = [...this.#guests.values()];
    return takeSnapshot(
      this.#counters,
      guests.map(({ outbox }) => outbox),
      guests.length,
    );
  }

  renew({ keys, tls }: Credentials): void {
    assert(
      (tls === null) === (this.#options.tls === null),
      "A server cannot switch between TLS and plain TCP.",
    );
    this.#options = { ...this.#options, keys, tls };
    if (tls !== null) (this.#server as TlsServer).setSecureContext({ ...tls, minVersion: "TLSv1.3" });
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => this.#server.close(() => resolve()));
    for (const link of this.#links) link.close("This node is stopping.", "flushed");
    this.#endStrangers();
    return this.#closing;
  }

  /** Ends connections still in their TLS handshake, which have no link, because closing would wait for them. */
  #endStrangers(): void {
    if (this.#links.size === 0) for (const socket of this.#sockets) socket.destroy();
  }

  #createServer(): Server {
    const { tls } = this.#options;
    if (tls === null) return createServer((socket) => this.#accept(socket));
    const server = createTlsServer(
      {
        ...tls,
        minVersion: "TLSv1.3",
        requestCert: true,
        rejectUnauthorized: true,
        handshakeTimeout: this.#limits.handshakeMsMax,
      },
      (socket) => this.#accept(socket),
    );
    server.on("tlsClientError", (error) => {
      this.#counters.refusalsTotal.tls += 1;
      const text = `A TLS handshake failed: ${error.message}`;
      this.#options.observe?.({ type: "refused", nodeId: null, reason: "tls", text });
    });
    return server;
  }

  #accept(socket: Socket): void {
    const settings = {
      options: this.#options,
      limits: this.#limits,
      counters: this.#counters,
      calledNodeId: null,
    };
    const place = peerAddress(socket);
    const outbox = new Outbox(this.#limits, this.#counters);
    let nodeId: string | null = null;
    const link: Link = new Link(socket, null, settings, {
      opened: (hello) => {
        nodeId = hello.nodeId;
        this.#strangers.delete(place);
        this.#admit(nodeId, { link, outbox });
        return { outbox, isPaused: this.#isPaused };
      },
      closed: () => {
        this.#links.delete(link);
        if (this.#closing) this.#endStrangers();
        outbox.dropAll();
        if (nodeId !== null && this.#guests.get(nodeId)?.link === link) this.#guests.delete(nodeId);
      },
    });
    this.#links.add(link);
  }

  /** Strangers that hold many connections open must not keep out nodes, whose handshakes take milliseconds. */
  #makeRoomForStrangers(): void {
    const { strangerCountMax } = this.#limits;
    if (this.#strangers.size <= strangerCountMax) return;
    const [[place, socket]] = this.#strangers as unknown as [[string, Socket]];
    this.#strangers.delete(place);
    socket.destroy();
    this.#counters.refusalsTotal.tooMany += 1;
    const text = `More than ${strangerCountMax} connections were waiting for a proof; the oldest one was closed.`;
    this.#options.observe?.({ type: "refused", nodeId: null, reason: "tooMany", text });
  }

  /** A node that connects again has dropped its former connection, even if the end of that one has not arrived yet. */
  #admit(nodeId: string, guest: Guest): void {
    this.#guests.get(nodeId)?.link.close("The node has connected again.", "now");
    this.#guests.set(nodeId, guest);
  }
}

/** Returns an address that is the same for a TLS socket and its underlying TCP socket. */
function peerAddress({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
