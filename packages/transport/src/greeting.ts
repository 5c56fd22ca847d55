/**
 * The handshake of one connection, without the connection: frames in, frames out.
 *
 *   caller                                     called
 *   hello      own id, called id, nonce     ->
 *                                           <- challenge  the same from the called node, with its own nonce
 *   proof      signature                    ->
 *                                           <- welcome    signature
 *
 * The caller proves itself first, so a stranger gets no signature. The called node sends messages after its
 * welcome, the caller after verifying the welcome, so nothing of a vault is sent before both are verified. Names prove
 * nothing: each side looks up the other's public key in its own file of the vault, and the signature must match that
 * key.
 */
import type { X509Certificate } from "node:crypto";
import { type Frame, frameLengthBytes } from "./codec/frame.ts";
import { decodeProof, encodeHello, encodeProof, type Hello, type Refusal } from "./codec/handshake.ts";
import { type EncodedFrame, FrameWriter } from "./codec/writer.ts";
import { FrameError } from "./errors.ts";
import { judgeHello } from "./handshake.ts";
import type { NodeKeys } from "./node-key.ts";
import type { NodeIdentity } from "./options.ts";
import { createProof, isProof, type Part, type Transcript } from "./proof.ts";

export interface GreetingOptions {
  readonly identity: NodeIdentity;
  readonly keys: NodeKeys;
  /** Current epoch of the vault's file on this node. */
  readonly epoch: number;
  /** Id of the called node; null if this side was called. */
  readonly calledNodeId: string | null;
  /** 32 random bytes as hexadecimal digits, used once. */
  readonly nonce: string;
  /** The other side's certificate; null without TLS. */
  readonly certificate: X509Certificate | null;
  /** Exported from the TLS session; empty without TLS. */
  readonly channel: Uint8Array;
}

export type Reply =
  | { readonly type: "say"; readonly frame: EncodedFrame }
  | { readonly type: "refuse"; readonly nodeId: string | null; readonly refusal: Refusal }
  /** Both sides are verified; `frame` still has to be sent to the other side. */
  | ({ readonly type: "open"; readonly frame: EncodedFrame | null } & OtherSide);

export interface OtherSide {
  readonly hello: Hello;
  /** Version that both sides speak. */
  readonly version: number;
}

/** State in which both sides have introduced themselves and the other side's proof is outstanding. */
interface Introduced extends OtherSide {
  readonly transcript: Transcript;
  readonly isProvedBy: (proof: string) => boolean;
}

export class Greeting {
  readonly #options: GreetingOptions;
  readonly #part: Part;
  readonly #writer = new FrameWriter();
  /** The caller's first frame, as sent or received. */
  #said: Buffer = Buffer.alloc(0);
  #introduced: Introduced | null = null;

  constructor(options: GreetingOptions) {
    this.#options = options;
    this.#part = options.calledNodeId === null ? "called" : "caller";
  }

  /** Returns the caller's first frame; null for the called node, which waits for it. */
  begin(): EncodedFrame | null {
    const { calledNodeId } = this.#options;
    if (calledNodeId === null) return null;
    const frame = this.#introduce("hello", calledNodeId);
    this.#said = frameBytes(frame);
    return frame;
  }

  /** Accepts the other side's next frame. Throws a `FrameError` for an unexpected one. */
  hear(frame: Frame): Reply {
    return this.#introduced === null ? this.#hearHello(frame) : this.#hearProof(frame, this.#introduced);
  }

  #introduce(type: "hello" | "challenge", expectedNodeId: string): EncodedFrame {
    const { identity, epoch, nonce } = this.#options;
    const { clusterId, nodeId, bootId } = identity;
    return encodeHello(this.#writer, type, { clusterId, nodeId, expectedNodeId, bootId, epoch, nonce });
  }

  #hearHello(frame: Frame): Reply {
    const { keys, channel, calledNodeId } = this.#options;
    const verdict = judgeHello(frame, calledNodeId === null ? "hello" : "challenge", {
      ...this.#options,
      publicKeyOf: keys.publicKeyOf,
    });
    if (verdict.type === "refused") return { ...verdict, type: "refuse" };
    const { hello, version, publicKey } = verdict;
    const heard = Buffer.from(frame.bytes.subarray(frame.at, frame.at + frameLengthBytes(frame.header)));
    const introduce = (transcript: Transcript): void => {
      const theirPart = calledNodeId === null ? "caller" : "called";
      const isProvedBy = (proof: string) => isProof(publicKey, theirPart, transcript, proof);
      this.#introduced = { hello, version, transcript, isProvedBy };
    };
    if (calledNodeId === null) {
      const challenge = this.#introduce("challenge", hello.nodeId);
      introduce({ hello: heard, challenge: frameBytes(challenge), channel });
      return { type: "say", frame: challenge };
    }
    const transcript = { hello: this.#said, challenge: heard, channel };
    introduce(transcript);
    return { type: "say", frame: this.#prove("proof", transcript) };
  }

  #hearProof(frame: Frame, { hello, version, transcript, isProvedBy }: Introduced): Reply {
    const { calledNodeId } = this.#options;
    const expectedType = calledNodeId === null ? "proof" : "welcome";
    if (frame.header.type !== expectedType) {
      throw new FrameError("header", `Received a ${frame.header.type} instead of a ${expectedType}.`);
    }
    if (!isProvedBy(decodeProof(frame))) {
      const text = `The other side calls itself "${hello.nodeId}" but does not have that node's key.`;
      return { type: "refuse", nodeId: hello.nodeId, refusal: { reason: "notProved", text } };
    }
    const welcome = calledNodeId === null ? this.#prove("welcome", transcript) : null;
    return { type: "open", hello, version, frame: welcome };
  }

  #prove(type: "proof" | "welcome", transcript: Transcript): EncodedFrame {
    return encodeProof(this.#writer, type, createProof(this.#options.keys.own, this.#part, transcript));
  }
}

function frameBytes({ slab, start, end }: EncodedFrame): Buffer {
  return Buffer.from(slab.subarray(start, end));
}
