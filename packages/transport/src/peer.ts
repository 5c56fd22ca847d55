import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { connect, type OnReadOpts, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { reconnectDelayMs } from "./backoff.ts";
import { OLDEST_PROTOCOL_VERSION } from "./codec/frame.ts";
import type { RefusalReason } from "./codec/handshake.ts";
import type { Envelope } from "./codec/messages.ts";
import { type Counters, createCounters, type TransportSnapshot, takeSnapshot } from "./counters.ts";
import { isCertified, isNodeId } from "./handshake.ts";
import { createInlet, type Inlet } from "./inlet.ts";
import { Link } from "./link.ts";
import { assertSecrecy } from "./loopback.ts";
import { type Credentials, defaultLimits, type EndpointOptions, type TransportLimits } from "./options.ts";
import { Outbox, type Released } from "./outbox.ts";

export interface ConnectOptions extends EndpointOptions {
  /** Node expected at the address; any other is refused. */
  readonly nodeId: string;
  readonly host: string;
  readonly port: number;
  /** Returns a number from 0 to below 1. */
  readonly random?: () => number;
}

/**
 * A node that this process connects to, with retries until it is closed. If either side could call, the one that
 * receives more bytes should: it reads them with less work.
 */
export interface Peer {
  readonly nodeId: string;
  readonly isConnected: boolean;
  /**
   * Queues a message, for a short time even without a connection; returns false if it was dropped. `released` is always
   * called once, when the message's payloads are no longer read.
   */
  send(envelope: Envelope, released?: Released): boolean;
  /** Stops reading, for a receiver that cannot keep up. */
  pause(): void;
  resume(): void;
  snapshot(): TransportSnapshot;
  /** Replaces the credentials of later connections. It can neither enable nor disable TLS. */
  renew(credentials: Credentials): void;
  /** Sends the current epoch of this node, which has changed. */
  tellEpoch(): void;
  /** Ends the connection if the other node has not learnt of the current epoch. */
  refuseOlderEpoch(): void;
  close(): Promise<void>;
}

export function connectTo(options: ConnectOptions): Peer {
  for (const nodeId of [options.identity.nodeId, options.nodeId]) {
    assert(isNodeId(nodeId), `A node id is lower-case letters, digits, dots and dashes; "${nodeId}" is not.`);
  }
  assertSecrecy(options);
  return new NodePeer(options);
}

class NodePeer implements Peer {
  readonly nodeId: string;
  #options: ConnectOptions;
  readonly #limits: TransportLimits;
  readonly #counters: Counters = createCounters();
  readonly #outbox: Outbox;
  #socket: Socket | null = null;
  #link: Link | null = null;
  #openedAtMs: number | null = null;
  #retry: NodeJS.Timeout | null = null;
  /** Attempts since a connection was last stable. */
  #attempts = 0;
  #isPaused = false;
  /** Set by `close`; resolves when the connection is gone. */
  #closing: PromiseWithResolvers<void> | null = null;

  constructor(options: ConnectOptions) {
    this.nodeId = options.nodeId;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#outbox = new Outbox(this.#limits, this.#counters);
    this.#connect();
  }

  get isConnected(): boolean {
    return this.#openedAtMs !== null;
  }

  send(envelope: Envelope, released?: Released): boolean {
    if (this.#closing) {
      this.#counters.dropsTotal.notConnected += 1;
      released?.();
      return false;
    }
    if (!this.isConnected) this.#outbox.dropOlderThan(this.#limits.queueAgeMsMax);
    const isQueued = this.#outbox.push(envelope, released);
    if (isQueued) this.#link?.scheduleFlush();
    return isQueued;
  }

  pause(): void {
    this.#isPaused = true;
    this.#link?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#link?.resume();
  }

  tellEpoch(): void {
    this.#link?.tellEpoch();
  }

  refuseOlderEpoch(): void {
    this.#link?.refuseOlderEpoch();
  }

  snapshot(): TransportSnapshot {
    return takeSnapshot(this.#counters, [this.#outbox], this.isConnected ? 1 : 0);
  }

  renew({ keys, tls }: Credentials): void {
    assert(
      (tls === null) === (this.#options.tls === null),
      "A peer cannot switch between TLS and plain TCP.",
    );
    this.#options = { ...this.#options, keys, tls };
  }

  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = Promise.withResolvers();
      if (this.#retry) clearTimeout(this.#retry);
      if (this.#link) this.#link.close("This node is stopping.", "flushed");
      else if (this.#socket) this.#socket.destroy();
      else this.#ended();
    }
    return this.#closing.promise;
  }

  #connect(): void {
    this.#retry = null;
    this.#outbox.dropOlderThan(this.#limits.queueAgeMsMax);
    const { host, port, tls } = this.#options;
    const attempt: Attempt = { error: null, reason: null };
    const inlet = createInlet();
    const { onread } = inlet;
    const socket = tls === null ? connect({ host, port, onread }) : this.#connectTls(tls, attempt, inlet);
    this.#socket = socket;
    let impatience = setTimeout(() => socket.destroy(), this.#limits.connectMsMax);
    socket.once("connect", () => {
      clearTimeout(impatience);
      impatience = setTimeout(() => socket.destroy(), this.#limits.handshakeMsMax);
    });
    const onError = (error: Error) => {
      attempt.error = error;
    };
    const onClose = () => {
      clearTimeout(impatience);
      this.#failed(attempt);
    };
    socket.on("error", onError);
    socket.once("close", onClose);
    socket.once(tls === null ? "connect" : "secureConnect", () => {
      clearTimeout(impatience);
      socket.off("close", onClose);
      socket.off("error", onError);
      this.#converse(socket, inlet);
    });
  }

  #connectTls(tls: NonNullable<EndpointOptions["tls"]>, attempt: Attempt, { onread }: Inlet): Socket {
    const { host, port, nodeId } = this.#options;
    const checkServerIdentity = (_host: string, { raw }: { raw: Buffer }): Error | undefined => {
      if (isCertified(new X509Certificate(raw), nodeId)) return undefined;
      attempt.reason = "notCertified";
      return new Error(`The certificate of ${host}:${port} does not name the node "${nodeId}".`);
    };
    // Adds `onread`, which Node documents but its types omit.
    const options: ConnectionOptions & { onread: OnReadOpts } = {
      ...tls,
      host,
      port,
      onread,
      servername: nodeId,
      minVersion: "TLSv1.3",
      rejectUnauthorized: true,
      checkServerIdentity,
    };
    return connectTls(options);
  }

  #converse(socket: Socket, inlet: Inlet): void {
    const settings = {
      options: this.#options,
      limits: this.#limits,
      counters: this.#counters,
      calledNodeId: this.nodeId,
    };
    this.#link = new Link(socket, inlet, settings, {
      opened: () => {
        this.#openedAtMs = performance.now();
        if (this.#counters.connectionsTotal > 1) this.#counters.reconnectsTotal += 1;
        this.#outbox.dropOlderThan(this.#limits.queueAgeMsMax);
        return { outbox: this.#outbox, isPaused: this.#isPaused };
      },
      closed: ({ text, error, isExplained }) => this.#linkClosed(text, error, isExplained),
    });
  }

  #linkClosed(text: string, error: Error | null, isExplained: boolean): void {
    const stoodMs = this.#openedAtMs === null ? 0 : performance.now() - this.#openedAtMs;
    if (stoodMs >= this.#limits.reconnectMsMax) this.#attempts = 0;
    if (this.#openedAtMs === null && !isExplained && !this.#closing) this.#leftUngreeted(text, error);
    this.#openedAtMs = null;
    this.#link = null;
    // The peer may run another version when it comes back.
    this.#outbox.version = OLDEST_PROTOCOL_VERSION;
    this.#ended();
  }

  /** In TLS 1.3 a server can refuse a certificate after the client has begun to send, and need not report it. */
  #leftUngreeted(closeText: string, error: Error | null): void {
    const { nodeId } = this;
    const { host, port, observe } = this.#options;
    if (error !== null && this.#isTlsError(error)) {
      this.#counters.refusalsByPeerTotal.tls += 1;
      const text = `${host}:${port} refused the TLS handshake: ${error.message}`;
      observe?.({ type: "refusedByPeer", nodeId, reason: "tls", text });
      return;
    }
    const hint = this.#options.tls === null ? "" : " It may not trust this node's certificate.";
    const text = `${host}:${port} did not identify itself. ${closeText}${hint}`;
    observe?.({ type: "unreachable", nodeId, text });
  }

  /** Handles an attempt that ended without a connection for messages. */
  #failed({ error, reason }: Attempt): void {
    const { nodeId } = this;
    const { host, port, observe } = this.#options;
    const text = `${host}:${port} cannot be reached: ${error?.message ?? "no answer came in time."}`;
    const refusal = reason ?? (error !== null && this.#isTlsError(error) ? "tls" : null);
    if (refusal === null) observe?.({ type: "unreachable", nodeId, text });
    else {
      this.#counters.refusalsTotal[refusal] += 1;
      observe?.({ type: "refused", nodeId, reason: refusal, text });
    }
    this.#ended();
  }

  /** Errors of TLS are not from a system call, and not aggregates of several errors. */
  #isTlsError(error: Error): boolean {
    const isOfSystem = "syscall" in error || error instanceof AggregateError;
    return (
      this.#options.tls !== null && !isOfSystem && (error as NodeJS.ErrnoException).code !== "ECONNRESET"
    );
  }

  #ended(): void {
    this.#socket = null;
    if (this.#closing) {
      this.#outbox.dropAll();
      this.#closing.resolve();
      return;
    }
    this.#outbox.dropOlderThan(this.#limits.queueAgeMsMax);
    const random = this.#options.random ?? Math.random;
    this.#retry = setTimeout(() => this.#connect(), reconnectDelayMs(this.#attempts, random(), this.#limits));
    this.#attempts += 1;
  }
}

/** Outcome of an attempt that does not lead to a conversation. */
interface Attempt {
  error: Error | null;
  reason: RefusalReason | null;
}
