/** The frames that are no messages: who speaks, why not, and "are you there?". */
import { type Field, oneOf, record, text, u16, u32, u64 } from "./fields.ts";
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
}

const nowhere = { role: 0, number: 0 };
const helloFields = record<Hello>({ clusterId: text, nodeId: text, expectedNodeId: text, bootId: u64 });
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
  type: "hello" | "welcome",
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
