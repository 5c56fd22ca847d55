/** A conversation over one connection: the handshake, then authorised messages. */
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Frame } from "./codec/frame.ts";
import {
  decodeEpoch,
  decodeRefusal,
  encodeEpoch,
  encodeRefusal,
  type Hello,
  NONCE_BYTES,
  type Refusal,
  type RefusalReason,
} from "./codec/handshake.ts";
import { decodeMessage } from "./codec/messages.ts";
import { FrameWriter } from "./codec/writer.ts";
import type { Counters } from "./counters.ts";
import { FrameError } from "./errors.ts";
import { Greeting, type GreetingOptions, type OtherSide } from "./greeting.ts";
import { olderEpochText } from "./handshake.ts";
import type { Inlet } from "./inlet.ts";
import type { EndpointOptions, TransportLimits } from "./options.ts";
import type { Outbox } from "./outbox.ts";
import { Wire } from "./wire.ts";

export interface LinkSettings {
  readonly options: EndpointOptions;
  readonly limits: TransportLimits;
  readonly counters: Counters;
  /** Id of the called node; null if this side was called. */
  readonly calledNodeId: string | null;
}

export interface LinkHooks {
  /** Called once the handshake has succeeded; returns the outbox, and whether reading starts paused. */
  readonly opened: (hello: Hello) => { readonly outbox: Outbox; readonly isPaused: boolean };
  /** `isExplained`: one side refused the other, which has already been reported and counted. */
  readonly closed: (end: { text: string; error: Error | null; isExplained: boolean }) => void;
}

export class Link {
  readonly #settings: LinkSettings;
  readonly #hooks: LinkHooks;
  readonly #wire: Wire;
  readonly #writer = new FrameWriter();
  readonly #greeting: Greeting;
  readonly #impatience: NodeJS.Timeout;
  #nodeId: string | null = null;
  #theirEpoch = 0;
  #isExplained = false;

  /** With TLS, expects a socket whose own handshake has succeeded. */
  constructor(socket: Socket, inlet: Inlet | null, settings: LinkSettings, hooks: LinkHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
    const { limits, counters, calledNodeId, options } = settings;
    const { identity, keys } = options;
    const epoch = options.epochOf();
    const nonce = randomBytes(NONCE_BYTES).toString("hex");
    this.#greeting = new Greeting({ identity, keys, epoch, calledNodeId, nonce, ...tlsSession(socket) });
    this.#wire = new Wire(socket, inlet, limits, counters, options.arePayloadsLent ?? false, {
      frame: (frame) => (this.#nodeId === null ? this.#greeted(frame) : this.#received(frame, this.#nodeId)),
      unreadable: (error) => this.refuse("frame", error.message),
      closed: (text, error) => this.#closed(text, error),
    });
    this.#impatience = setTimeout(
      () => this.refuse("helloTimeout", `The handshake was not complete within ${limits.handshakeMsMax} ms.`),
      limits.handshakeMsMax,
    );
    const first = this.#greeting.begin();
    if (first !== null) this.#wire.sendControl(first);
  }

  /** Called when the outbox has new messages. */
  scheduleFlush(): void {
    this.#wire.scheduleFlush();
  }

  pause(): void {
    this.#wire.pause();
  }

  resume(): void {
    this.#wire.resume();
  }

  /** Sends the current epoch of this side, which has changed since the handshake. */
  tellEpoch(): void {
    if (this.#nodeId !== null)
      this.#wire.sendControl(encodeEpoch(this.#writer, this.#settings.options.epochOf()));
  }

  /** Ends the connection if the node has not learnt of the current epoch. */
  refuseOlderEpoch(): void {
    const epoch = this.#settings.options.epochOf();
    if (this.#nodeId === null || this.#theirEpoch >= epoch) return;
    this.refuse("olderEpoch", olderEpochText(this.#nodeId, this.#theirEpoch, epoch));
  }

  close(text: string, how: "now" | "flushed"): void {
    this.#wire.close(text, how);
  }

  /** Counts the refusal, sends the other side the reason, and closes. */
  refuse(reason: RefusalReason, text: string, nodeId: string | null = this.#nodeId): void {
    const { counters, options, calledNodeId } = this.#settings;
    this.#isExplained = true;
    counters.refusalsTotal[reason] += 1;
    options.observe?.({ type: "refused", nodeId: nodeId ?? calledNodeId, reason, text });
    this.#wire.sendControl(encodeRefusal(this.#writer, { reason, text }));
    this.#wire.close(text, "flushed");
  }

  #greeted(frame: Frame): (() => void) | null {
    if (frame.header.type === "refusal") return this.#wasRefused(decodeRefusal(frame));
    const reply = this.#greeting.hear(frame);
    switch (reply.type) {
      case "say":
        return () => this.#wire.sendControl(reply.frame);
      case "refuse":
        return () => this.refuse(reply.refusal.reason, reply.refusal.text, reply.nodeId);
      case "open":
        return () => {
          if (reply.frame !== null) this.#wire.sendControl(reply.frame);
          this.#open(reply);
        };
    }
  }

  #open({ hello, version }: OtherSide): void {
    const { options, counters } = this.#settings;
    clearTimeout(this.#impatience);
    this.#nodeId = hello.nodeId;
    this.#theirEpoch = hello.epoch;
    counters.connectionsTotal += 1;
    const { outbox, isPaused } = this.#hooks.opened(hello);
    outbox.version = version;
    this.#wire.open(outbox);
    if (isPaused) this.#wire.pause();
    options.observe?.({ type: "connected", nodeId: hello.nodeId, bootId: hello.bootId });
  }

  #received(frame: Frame, nodeId: string): (() => void) | null {
    const { type } = frame.header;
    if (type === "refusal") return this.#wasRefused(decodeRefusal(frame));
    if (type === "epoch") {
      const epoch = decodeEpoch(frame);
      return () => {
        this.#theirEpoch = Math.max(this.#theirEpoch, epoch);
      };
    }
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

const CHANNEL_BYTES = 32;

/** Returns the other side's certificate, and the value that binds its proof to this TLS session (RFC 9266). */
function tlsSession(socket: Socket): Pick<GreetingOptions, "certificate" | "channel"> {
  if (!(socket instanceof TLSSocket) || socket.destroyed)
    return { certificate: null, channel: new Uint8Array(0) };
  const channel = socket.exportKeyingMaterial(CHANNEL_BYTES, "EXPORTER-Channel-Binding", Buffer.alloc(0));
  return { certificate: socket.getPeerX509Certificate() ?? null, channel };
}
