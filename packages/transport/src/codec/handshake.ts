/** The frames that are not messages: hello, challenge, proof, welcome, refusal, epoch and heartbeat. */
import { enumField, type Field, hex, record, text, u16, u32, u64 } from "./fields.ts";
import { checkHead, type Frame, type FrameType, OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION } from "./frame.ts";
import { FieldReader } from "./reader.ts";
import type { EncodedFrame, FrameWriter } from "./writer.ts";

/** Reasons why a connection between two nodes is refused. */
export const refusalReasons = {
  tls: 1,
  frame: 2,
  helloTimeout: 3,
  protocolVersion: 4,
  foreignCluster: 5,
  wrongNode: 6,
  notCertified: 7,
  unknownNode: 8,
  tooMany: 9,
  notProved: 10,
  olderEpoch: 11,
} as const;

export type RefusalReason = keyof typeof refusalReasons;

export interface Refusal {
  readonly reason: RefusalReason;
  /** Reason logged by the refused peer. */
  readonly text: string;
}

/** A node's description of itself, and the identity that it expects of the other. */
export interface Hello {
  readonly clusterId: string;
  readonly nodeId: string;
  readonly expectedNodeId: string;
  /** Increases with each restart of the node. */
  readonly bootId: number;
  /** Epoch of the vault's file, which rises with every change of drives and nodes. */
  readonly epoch: number;
  /** 32 random bytes as hexadecimal digits, different on each connection. */
  readonly nonce: string;
}

const nowhere = { role: 0, number: 0 };
export const NONCE_BYTES = 32;
const SIGNATURE_BYTES = 64;
const helloFields = record<Hello>({
  clusterId: text,
  nodeId: text,
  expectedNodeId: text,
  bootId: u64,
  epoch: u64,
  nonce: hex(NONCE_BYTES),
});
const proofField = hex(SIGNATURE_BYTES);
const refusalFields = record<Refusal>({ reason: enumField(refusalReasons), text });

function encode<Value>(
  writer: FrameWriter,
  type: FrameType,
  field: Field<Value>,
  value: Value,
): EncodedFrame {
  writer.begin();
  field.write(writer, value);
  return writer.finish(type, 0, nowhere, nowhere);
}

function decode<Value>(frame: Frame, field: Field<Value>): Value {
  checkHead(frame);
  const reader = new FieldReader(frame);
  const value = field.read(reader);
  reader.end();
  return value;
}

/** The versions that a node speaks, from the oldest to its own. */
export interface Versions {
  readonly own: number;
  readonly oldest: number;
}

const ourVersions: Versions = { own: PROTOCOL_VERSION, oldest: OLDEST_PROTOCOL_VERSION };

export function encodeHello(
  writer: FrameWriter,
  type: "hello" | "challenge",
  hello: Hello,
  { own, oldest } = ourVersions,
): EncodedFrame {
  writer.begin();
  writer.u16(own);
  writer.u16(oldest);
  helloFields.write(writer, hello);
  return writer.finish(type, 0, nowhere, nowhere);
}

/** If the two nodes have no version in common, only the versions of a hello can be read. */
export function decodeHello(frame: Frame): { versions: Versions; hello: Hello | null } {
  checkHead(frame);
  const reader = new FieldReader(frame);
  const own = u16.read(reader);
  // A hello before version 7 contains only its own version.
  const versions = { own, oldest: own < 7 ? own : u16.read(reader) };
  if (own < OLDEST_PROTOCOL_VERSION || versions.oldest > PROTOCOL_VERSION) return { versions, hello: null };
  const hello = helloFields.read(reader);
  if (own <= PROTOCOL_VERSION) reader.end();
  return { versions, hello };
}

/** The caller's proof, or the called node's proof in its welcome: a signature as hexadecimal digits. */
export function encodeProof(writer: FrameWriter, type: "proof" | "welcome", signature: string): EncodedFrame {
  return encode(writer, type, proofField, signature);
}

export function decodeProof(frame: Frame): string {
  return decode(frame, proofField);
}

export function encodeRefusal(writer: FrameWriter, refusal: Refusal): EncodedFrame {
  return encode(writer, "refusal", refusalFields, refusal);
}

export function decodeRefusal(frame: Frame): Refusal {
  return decode(frame, refusalFields);
}

/** Encodes another epoch, which the node has learnt of since its hello. */
export function encodeEpoch(writer: FrameWriter, epoch: number): EncodedFrame {
  return encode(writer, "epoch", u64, epoch);
}

export function decodeEpoch(frame: Frame): number {
  return decode(frame, u64);
}

/** Encodes a ping, or the pong that returns the ping's time. */
export function encodePing(writer: FrameWriter, type: "ping" | "pong", sentAtUs: number): EncodedFrame {
  return encode(writer, type, u32, sentAtUs);
}

export function decodePing(frame: Frame): number {
  return decode(frame, u32);
}
