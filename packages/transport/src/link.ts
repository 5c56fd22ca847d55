/** A conversation over one connection: the handshake, then messages that are allowed. */
import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Frame } from "./codec/frame.ts";
import {
  decodeRefusal,
  encodeHello,
  encodeRefusal,
  type Hello,
  type Refusal,
  type RefusalReason,
} from "./codec/handshake.ts";
import { decodeMessage } from "./codec/messages.ts";
import { FrameWriter } from "./codec/writer.ts";
import type { Counters } from "./counters.ts";
import { FrameError } from "./errors.ts";
import { judgeHello } from "./handshake.ts";
import type { Inlet } from "./inlet.ts";
import type { EndpointOptions, TransportLimits } from "./options.ts";
import type { Outbox } from "./outbox.ts";
import { Wire } from "./wire.ts";

export interface LinkSettings {
  readonly options: EndpointOptions;
  readonly limits: TransportLimits;
  readonly counters: Counters;
  /** Whom we called; null when we were called. */
  readonly calledNodeId: string | null;
  readonly isKnownNode: (nodeId: string) => boolean;
}

export interface LinkHooks {
  /** The handshake succeeded; gives what is to be sent, and whether to read yet. */
  readonly opened: (hello: Hello) => { readonly outbox: Outbox; readonly isPaused: boolean };
  /** `isExplained`: somebody refused somebody, which has been told and counted. */
  readonly closed: (end: { text: string; error: Error | null; isExplained: boolean }) => void;
}

export class Link {
  readonly #settings: LinkSettings;
  readonly #hooks: LinkHooks;
  readonly #wire: Wire;
  readonly #writer = new FrameWriter();
  readonly #certificate: X509Certificate | null;
  readonly #impatience: NodeJS.Timeout;
  #nodeId: string | null = null;
  #isExplained = false;

  /** Under TLS the socket's own handshake has succeeded. */
  constructor(socket: Socket, inlet: Inlet | null, settings: LinkSettings, hooks: LinkHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
    this.#certificate = socket instanceof TLSSocket ? (socket.getPeerX509Certificate() ?? null) : null;
    const { limits, counters, calledNodeId, options } = settings;
    this.#wire = new Wire(socket, inlet, limits, counters, options.arePayloadsLent ?? false, {
      frame: (frame) => (this.#nodeId === null ? this.#greeted(frame) : this.#received(frame, this.#nodeId)),
      unreadable: (error) => this.refuse("frame", error.message),
      closed: (text, error) => this.#closed(text, error),
    });
    this.#impatience = setTimeout(
      () => this.refuse("helloTimeout", `No hello came within ${limits.handshakeMsMax} ms.`),
      limits.handshakeMsMax,
    );
    if (calledNodeId !== null) this.#sayHello("hello", calledNodeId);
  }

  /** There is something new in the outbox. */
  scheduleFlush(): void {
    this.#wire.scheduleFlush();
  }

  pause(): void {
    this.#wire.pause();
  }

  resume(): void {
    this.#wire.resume();
  }

  close(text: string, how: "now" | "flushed"): void {
    this.#wire.close(text, how);
  }

  /** Counts it, tells the other side why, and closes. */
  refuse(reason: RefusalReason, text: string, nodeId: string | null = this.#nodeId): void {
    const { counters, options, calledNodeId } = this.#settings;
    this.#isExplained = true;
    counters.refusalsTotal[reason] += 1;
    options.observe?.({ type: "refused", nodeId: nodeId ?? calledNodeId, reason, text });
    this.#wire.sendControl(encodeRefusal(this.#writer, { reason, text }));
    this.#wire.close(text, "flushed");
  }

  #sayHello(type: "hello" | "welcome", expectedNodeId: string): void {
    const { clusterId, nodeId, bootId } = this.#settings.options.identity;
    this.#wire.sendControl(encodeHello(this.#writer, type, { clusterId, nodeId, expectedNodeId, bootId }));
  }

  #greeted(frame: Frame): (() => void) | null {
    const { options, calledNodeId, isKnownNode } = this.#settings;
    if (frame.header.type === "refusal") return this.#wasRefused(decodeRefusal(frame));
    const verdict = judgeHello(frame, calledNodeId === null ? "hello" : "welcome", {
      identity: options.identity,
      calledNodeId,
      certificate: this.#certificate,
      isKnownNode,
    });
    if (verdict.type === "refused") {
      const { refusal, nodeId } = verdict;
      return () => this.refuse(refusal.reason, refusal.text, nodeId);
    }
    return () => this.#open(verdict.hello);
  }

  #open(hello: Hello): void {
    const { options, counters, calledNodeId } = this.#settings;
    clearTimeout(this.#impatience);
    this.#nodeId = hello.nodeId;
    counters.connectionsTotal += 1;
    if (calledNodeId === null) this.#sayHello("welcome", hello.nodeId);
    const { outbox, isPaused } = this.#hooks.opened(hello);
    this.#wire.open(outbox);
    if (isPaused) this.#wire.pause();
    options.observe?.({ type: "connected", nodeId: hello.nodeId, bootId: hello.bootId });
  }

  #received(frame: Frame, nodeId: string): (() => void) | null {
    const { type } = frame.header;
    if (type === "refusal") return this.#wasRefused(decodeRefusal(frame));
    if (type !== "message") throw new FrameError("header", `A ${type} came after the handshake.`);
    const { from, to, message } = decodeMessage(frame);
    const received = { nodeId, from, to, message };
    const { options, counters } = this.#settings;
    const trespass = options.authorise(received);
    if (trespass === null) return () => options.receive(received);
    counters.trespassesTotal[trespass] += 1;
    options.observe?.({ type: "trespass", nodeId, trespass, message: message.type, from });
    return null;
  }

  #wasRefused({ reason, text }: Refusal): () => void {
    const { counters, options, calledNodeId } = this.#settings;
    return () => {
      this.#isExplained = true;
      counters.refusalsByPeerTotal[reason] += 1;
      const nodeId = this.#nodeId ?? calledNodeId ?? "";
      options.observe?.({ type: "refusedByPeer", nodeId, reason, text });
      this.#wire.close(`The other side refused: ${text}`);
    };
  }

  #closed(text: string, error: Error | null): void {
    clearTimeout(this.#impatience);
    if (this.#nodeId !== null) {
      this.#settings.options.observe?.({ type: "disconnected", nodeId: this.#nodeId, text });
    }
    this.#hooks.closed({ text, error, isExplained: this.#isExplained });
  }
}
