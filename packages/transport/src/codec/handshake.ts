/** The frames that are not messages: hello, challenge, proof, refusal and heartbeat. */
import { type Field, hex, oneOf, record, text, u16, u32, u64 } from "./fields.ts";
import { checkHead, type Frame, type FrameType, PROTOCOL_VERSION } from "./frame.ts";
import { FieldReader } from "./reader.ts";
import type { EncodedFrame, FrameWriter } from "./writer.ts";

/** Why two nodes do not talk to each other. */
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
} as const;

export type RefusalReason = keyof typeof refusalReasons;

export interface Refusal {
  readonly reason: RefusalReason;
  /** A sentence for the log of whoever is refused. */
  readonly text: string;
}

/** What a node says of itself, and of whom it takes the other one for. */
export interface Hello {
  readonly clusterId: string;
  readonly nodeId: string;
  readonly expectedNodeId: string;
  /** Higher is later. */
  readonly bootId: number;
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
  nonce: hex(NONCE_BYTES),
});
const proofField = hex(SIGNATURE_BYTES);
const refusalFields = record<Refusal>({ reason: oneOf(refusalReasons), text });

function encode<Value>(
  writer: FrameWriter,
  type: FrameType,
  version: number | null,
  field: Field<Value>,
  value: Value,
): EncodedFrame {
  writer.begin();
  if (version !== null) writer.u16(version);
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

export function encodeHello(
  writer: FrameWriter,
  type: "hello" | "challenge",
  hello: Hello,
  protocolVersion = PROTOCOL_VERSION,
): EncodedFrame {
  return encode(writer, type, protocolVersion, helloFields, hello);
}

/** Only the version of a hello of another version can be read. */
export function decodeHello(frame: Frame): { protocolVersion: number; hello: Hello | null } {
  checkHead(frame);
  const reader = new FieldReader(frame);
  const protocolVersion = u16.read(reader);
  if (protocolVersion !== PROTOCOL_VERSION) return { protocolVersion, hello: null };
  const hello = helloFields.read(reader);
  reader.end();
  return { protocolVersion, hello };
}

/** The caller's proof, or the called node's proof in its welcome: a signature as hexadecimal digits. */
export function encodeProof(writer: FrameWriter, type: "proof" | "welcome", signature: string): EncodedFrame {
  return encode(writer, type, null, proofField, signature);
}

export function decodeProof(frame: Frame): string {
  return decode(frame, proofField);
}

export function encodeRefusal(writer: FrameWriter, refusal: Refusal): EncodedFrame {
  return encode(writer, "refusal", null, refusalFields, refusal);
}

export function decodeRefusal(frame: Frame): Refusal {
  return decode(frame, refusalFields);
}

/** A ping, or the pong that gives back its time. */
export function encodePing(writer: FrameWriter, type: "ping" | "pong", sentAtUs: number): EncodedFrame {
  return encode(writer, type, null, u32, sentAtUs);
}

export function decodePing(frame: Frame): number {
  return decode(frame, u32);
}
