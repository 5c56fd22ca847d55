/**
 * The frame, the one unit on the wire. All numbers are little-endian.
 *
 * | Offset | Bytes | Field                                                          |
 * | -----: | ----: | -------------------------------------------------------------- |
 * |      0 |     2 | magic 0x4c53, "SL"                                             |
 * |      2 |     1 | type of the frame                                              |
 * |      3 |     1 | kind of message; 0 in all other frames                         |
 * |      4 |     4 | bytes of the head, which follows this header                   |
 * |      8 |     4 | bytes of the payloads, which follow the head                   |
 * |     12 |     4 | sender: number of the coordinator, pod or stash device         |
 * |     16 |     4 | recipient: the same                                            |
 * |     20 |     2 | roles of sender and recipient                                  |
 * |     22 |     2 | 0                                                              |
 * |     24 |     4 | CRC32C of the head                                             |
 * |     28 |     4 | CRC32C of the 28 bytes before                                  |
 *
 * The header has a checksum of its own because its lengths are used before the rest has arrived: a flipped bit must not
 * make the reader wait for bytes that never come. Payloads are shards, which carry their own CRC32C in the head. This
 * header and the first two bytes of a hello, the protocol's version, stay as they are in every version.
 */
import { crc32c } from "@stashlight/checksum";
import { FrameError } from "../errors.ts";

/**
 * A vault is upgraded machine by machine, so nodes of two consecutive versions must understand each other. The newer
 * one uses the older one's format, and a hello of a later version has its additional fields at the end.
 */
export const PROTOCOL_VERSION = 8;
export const OLDEST_PROTOCOL_VERSION = 7;
export const HEADER_BYTES = 32;
/** Frames before and during the handshake are small, so a stranger cannot cause larger allocations. */
export const HANDSHAKE_FRAME_BYTES_MAX = 4096;

const MAGIC = 0x4c53;
const HEADER_CRC_AT = 28;

export const frameTypes = {
  hello: 1,
  welcome: 2,
  refusal: 3,
  ping: 4,
  pong: 5,
  message: 6,
  challenge: 7,
  proof: 8,
  epoch: 9,
} as const;
export type FrameType = keyof typeof frameTypes;
const typeNames = new Map(Object.entries(frameTypes).map(([name, id]) => [id as number, name as FrameType]));

/** A node's role as a byte, and its number. */
export interface Endpoint {
  readonly role: number;
  readonly number: number;
}

export interface FrameHeader {
  readonly type: FrameType;
  readonly kind: number;
  readonly headBytes: number;
  readonly payloadBytes: number;
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly headCrc: number;
}

export const frameLengthBytes = ({ headBytes, payloadBytes }: FrameHeader): number =>
  HEADER_BYTES + headBytes + payloadBytes;

/** Writes the header of the head that follows it in `bytes`. */
export function sealHeader(bytes: Buffer, at: number, header: Omit<FrameHeader, "headCrc">): void {
  const { type, kind, headBytes, payloadBytes, from, to } = header;
  const headAt = at + HEADER_BYTES;
  bytes.writeUInt16LE(MAGIC, at);
  bytes[at + 2] = frameTypes[type];
  bytes[at + 3] = kind;
  bytes.writeUInt32LE(headBytes, at + 4);
  bytes.writeUInt32LE(payloadBytes, at + 8);
  bytes.writeUInt32LE(from.number, at + 12);
  bytes.writeUInt32LE(to.number, at + 16);
  bytes[at + 20] = from.role;
  bytes[at + 21] = to.role;
  bytes.writeUInt16LE(0, at + 22);
  bytes.writeUInt32LE(crc32c(bytes.subarray(headAt, headAt + headBytes)), at + 24);
  bytes.writeUInt32LE(crc32c(bytes.subarray(at, at + HEADER_CRC_AT)), at + HEADER_CRC_AT);
}

/**
 * Reads the header at `at`, where `bytes` contain at least the whole header. Nothing has been allocated for its lengths
 * yet.
 */
export function readHeader(bytes: Buffer, at: number, frameBytesMax: number): FrameHeader {
  if (bytes.readUInt16LE(at) !== MAGIC) {
    throw new FrameError("magic", "The bytes are not a frame of this protocol; check the port.");
  }
  if (bytes.readUInt32LE(at + HEADER_CRC_AT) !== crc32c(bytes.subarray(at, at + HEADER_CRC_AT))) {
    throw new FrameError("checksum", "A frame's header fails its checksum.");
  }
  const typeId = bytes[at + 2] as number;
  const type = typeNames.get(typeId);
  if (type === undefined) {
    throw new FrameError("header", `A frame is of type ${typeId}, which this version does not know.`);
  }
  if (bytes.readUInt16LE(at + 22) !== 0) {
    throw new FrameError("header", "A frame's header has a reserved field that is not 0.");
  }
  const header: FrameHeader = {
    type,
    kind: bytes[at + 3] as number,
    headBytes: bytes.readUInt32LE(at + 4),
    payloadBytes: bytes.readUInt32LE(at + 8),
    from: { number: bytes.readUInt32LE(at + 12), role: bytes[at + 20] as number },
    to: { number: bytes.readUInt32LE(at + 16), role: bytes[at + 21] as number },
    headCrc: bytes.readUInt32LE(at + 24),
  };
  if (frameLengthBytes(header) > frameBytesMax) {
    throw new FrameError(
      "too_large",
      `A frame of ${frameLengthBytes(header)} bytes was announced; at most ${frameBytesMax} are accepted.`,
    );
  }
  return header;
}

/** A complete frame whose head matches its checksum. */
export interface Frame {
  readonly header: FrameHeader;
  /** Contains the frame from `at` on, and possibly others. */
  readonly bytes: Buffer;
  readonly at: number;
}

export function checkHead({ header, bytes, at }: Frame): void {
  const headAt = at + HEADER_BYTES;
  if (crc32c(bytes.subarray(headAt, headAt + header.headBytes)) !== header.headCrc) {
    throw new FrameError("checksum", "A frame's head fails its checksum.");
  }
}
