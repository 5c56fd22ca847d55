import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { UploadHeader } from "@stashlight/write-path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameError } from "../errors.ts";
import { FrameReader } from "../frame-reader.ts";
import { allTypes, anyEnvelope, envelopeArbitrary, makeAppend } from "../testing/messages.ts";
import { type Frame, frameLengthBytes, readHeader, sealHeader } from "./frame.ts";
import { encodeHello } from "./handshake.ts";
import { decodeMessage, type Envelope, encodeMessage, type MessageType, messageTypes } from "./messages.ts";
import { FrameWriter } from "./writer.ts";

const frameBytesMax = 1_048_576;

function encodeEnvelope(envelope: Envelope): Buffer {
  const { slab, start, end, payloads } = encodeMessage(new FrameWriter(), envelope);
  return Buffer.concat([slab.subarray(start, end), ...payloads]);
}

/** Decodes these bytes as a connection does: messages until the bytes end or cannot be read. */
function read(bytes: Buffer): { envelopes: Envelope[]; error: FrameError | null } {
  const reader = new FrameReader(frameBytesMax);
  const envelopes: Envelope[] = [];
  try {
    reader.push(bytes);
    for (let frame = reader.next(); frame !== null; frame = reader.next()) {
      if (frame.header.type === "message") envelopes.push(decodeMessage(frame));
    }
    return { envelopes, error: null };
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    return { envelopes, error };
  }
}

describe("messages arrive as they were sent", () => {
  test.each(allTypes)("with the type %s", (type) => {
    fc.assert(
      fc.property(envelopeArbitrary(type), (envelope) => {
        expect(read(encodeEnvelope(envelope))).toEqual({ envelopes: [envelope], error: null });
      }),
      { numRuns: 60 },
    );
  });

  test("frames of one writer do not affect each other, even if one message goes to several nodes", () => {
    fc.assert(
      fc.property(fc.array(anyEnvelope, { maxLength: 40 }), fc.array(fc.nat(9)), (drawn, repeats) => {
        const envelopes = drawn.flatMap((envelope, at) => {
          const others = Array.from({ length: (repeats[at] ?? 0) % 4 }, (_, to) => ({
            ...envelope,
            to: `p${to}` as const,
          }));
          return [envelope, ...others];
        });
        const writer = new FrameWriter();
        const frames = envelopes.map((envelope) => encodeMessage(writer, envelope));
        const bytes = frames.flatMap(({ slab, start, end, payloads }) => [
          slab.subarray(start, end),
          ...payloads,
        ]);
        expect(read(Buffer.concat(bytes))).toEqual({ envelopes, error: null });
      }),
      { numRuns: 40 },
    );
  });
});

test("the table lists every kind of message", () => {
  expect(messageTypes.toSorted()).toEqual(allTypes.toSorted());
});

test("a shard's bytes are copied neither by the sender nor by the receiver", () => {
  const payload = new Uint8Array(65_536).fill(9);
  const encoded = encodeMessage(new FrameWriter(), makeAppend(1, payload));
  expect(encoded.payloads[0]).toBe(payload);
  const bytes = Buffer.concat([encoded.slab.subarray(encoded.start, encoded.end), payload]);
  const { message } = decodeMessage({ header: readHeader(bytes, 0, frameBytesMax), bytes, at: 0 });
  const received = message.type === "pod.append" ? message.shard.payload : new Uint8Array(0);
  expect(received.buffer).toBe(bytes.buffer);
  expect(received).toEqual(payload);
});

test("the shards of one upload share a header object, and shards of different uploads do not", () => {
  const first = makeAppend(1, new Uint8Array(4));
  const decodedUpload = (envelope: Envelope) => {
    const { message } = read(encodeEnvelope(envelope)).envelopes[0] as Envelope;
    assert(message.type === "pod.append");
    return message.shard.upload;
  };
  assert(first.message.type === "pod.append");
  const { message } = first;
  const withUpload = (upload: Partial<UploadHeader>): Envelope => {
    const shard = { ...message.shard, upload: { ...message.shard.upload, ...upload } };
    return { ...first, message: { ...message, shard } };
  };
  const shared = decodedUpload(first);
  expect(decodedUpload(withUpload({}))).toBe(shared);
  for (const upload of [{ key: "another" }, { sizeBytes: 77 }, { epoch: 9 }, { userMetadata: { a: "b" } }]) {
    expect(decodedUpload(withUpload(upload))).toEqual({ ...shared, ...upload });
    expect(decodedUpload(first)).toEqual(shared);
  }
});

test("a flipped bit of header or head is detected, and one of a payload is left to the shard's own checksum", () => {
  fc.assert(
    fc.property(anyEnvelope, fc.nat(), fc.nat(7), (envelope, place, bit) => {
      const bytes = encodeEnvelope(envelope);
      const { slab: _slab, start, end } = encodeMessage(new FrameWriter(), envelope);
      const at = place % bytes.length;
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      const { envelopes, error } = read(bytes);
      if (at < end - start) expect(error?.code).toMatch(/^(magic|checksum)$/);
      else expect([error, envelopes.length]).toEqual([null, 1]);
    }),
    { numRuns: 400 },
  );
});

test("the reader waits for the rest of a truncated frame, and yields nothing", () => {
  fc.assert(
    fc.property(anyEnvelope, fc.nat(), (envelope, place) => {
      const bytes = encodeEnvelope(envelope);
      const { envelopes, error } = read(bytes.subarray(0, place % bytes.length));
      expect([error, envelopes]).toEqual([null, []]);
    }),
    { numRuns: 300 },
  );
});

/** Changes a frame and gives it a valid header again, as a broken or hostile node of the cluster might. */
function resealed(bytes: Buffer, change: (frame: Frame) => Partial<Frame["header"]>): Buffer {
  const header = readHeader(bytes, 0, frameBytesMax);
  sealHeader(bytes, 0, { ...header, ...change({ header, bytes, at: 0 }) });
  return bytes;
}

test("any head with a valid checksum is a message that can be sent again, or a frame error", () => {
  const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  let readCount = 0;
  fc.assert(
    fc.property(anyEnvelope, flips, (envelope, changes) => {
      const bytes = resealed(encodeEnvelope(envelope), ({ header, bytes: frame }) => {
        for (const [place, byte] of changes) {
          if (header.headBytes > 0) frame[32 + (place % header.headBytes)] = byte;
        }
        return {};
      });
      const { envelopes, error } = read(bytes);
      if (error) expect(error.code).toBe("malformed");
      else expect(read(encodeEnvelope(envelopes[0] as Envelope)).envelopes).toEqual(envelopes);
      readCount += error ? 0 : 1;
    }),
    { numRuns: 1_500 },
  );
  expect(readCount).toBeGreaterThan(100);
});

/** Reads a frame with a changed header; zeros follow if its head is now longer. */
function readResealed(envelope: Envelope, change: Parameters<typeof resealed>[1]): ReturnType<typeof read> {
  const bytes = resealed(Buffer.concat([encodeEnvelope(envelope), Buffer.alloc(400)]), change);
  return read(bytes.subarray(0, frameLengthBytes(readHeader(bytes, 0, frameBytesMax))));
}

const allBytes = Array.from({ length: 256 }, (_, byte) => byte);
const small = makeAppend(1, new Uint8Array(4));

test("every kind of message that this version does not know is a frame error", () => {
  const known = new Set(goldenEnvelopes().map((envelope) => encodeEnvelope(envelope)[3]));
  const unknown = allBytes.filter((kind) => !known.has(kind));
  expect(unknown).toHaveLength(256 - messageTypes.length);
  for (const kind of unknown)
    expect(readResealed(small, () => ({ kind })).error?.code, `${kind}`).toBe("kind");
});

test.each(["from", "to"] as const)("a role that no node has is a frame error (%s)", (side) => {
  const codes = allBytes.map(
    (role) => readResealed(small, ({ header }) => ({ [side]: { ...header[side], role } })).error?.code,
  );
  const nodeRoles = [1, 2, 3];
  expect(codes).toEqual(allBytes.map((role) => (nodeRoles.includes(role) ? undefined : "malformed")));
});

/** Kinds whose last field may be omitted, so that a head without it is complete. */
const openEnded: ReadonlySet<MessageType> = new Set([
  "pod.handoff",
  "coordinator.found",
  "coordinator.stashProbed",
  "coordinator.loaded",
  "coordinator.listed",
  "pod.list",
]);

test("a head that is longer or shorter than its fields is a frame error", () => {
  const closed = anyEnvelope.filter(({ message }) => !openEnded.has(message.type));
  fc.assert(
    fc.property(closed, fc.integer({ min: -400, max: 400 }), (envelope, more) => {
      fc.pre(more !== 0);
      const { error } = readResealed(envelope, ({ header: { headBytes } }) => ({
        headBytes: Math.max(0, headBytes + more),
      }));
      expect(error?.code).toBe("malformed");
    }),
    { numRuns: 1_000 },
  );
});

test("encoding throws for a value that the wire format cannot carry", () => {
  const { message, ...way } = makeAppend(1, new Uint8Array(0));
  const send = (change: object) => () =>
    encodeEnvelope({ ...way, message: { ...message, ...change } as never });
  expect(send({ bootId: -1 })).toThrow("whole numbers from 0 to 2^53 - 1");
  expect(send({ type: "pod.confirm", uploadId: "AB".repeat(16) })).toThrow("lower-case hexadecimal digits");
  expect(send({ type: "pod.confirm", uploadId: "zz".repeat(16) })).toThrow("lower-case hexadecimal digits");
  expect(send({ condition: { type: "etag", etag: "\ud800" } })).toThrow("half a surrogate pair");
});

/** Returns one message of each kind; bytes are written as `{ "bytes": "hexadecimal digits" }`. */
function goldenEnvelopes(): Envelope[] {
  const json = readFileSync(new URL("../testing/golden/messages.json", import.meta.url), "utf8");
  return JSON.parse(json, (_name, value) =>
    typeof value?.bytes === "string" ? Uint8Array.from(Buffer.from(value.bytes, "hex")) : value,
  );
}

test("the bytes of every kind never change, and are read back", async () => {
  const envelopes = goldenEnvelopes();
  expect(envelopes.map(({ message }) => message.type).toSorted()).toEqual(allTypes.toSorted());
  const lines = envelopes.map(
    (envelope) => `${envelope.message.type} ${encodeEnvelope(envelope).toString("hex")}`,
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../testing/golden/frames.txt");
  const frames = readFileSync(new URL("../testing/golden/frames.txt", import.meta.url), "utf8");
  const digits = frames.replaceAll(/^\S+ |\n/gm, "");
  expect(read(Buffer.from(digits, "hex"))).toEqual({ envelopes, error: null });
});

test("the bytes of a list with a delimiter never change", () => {
  const range = { bucket: "b", prefix: "p", after: "", keyCountMax: 1000, delimiter: "/" };
  const list: Envelope = {
    from: "c1",
    to: "p2",
    message: { type: "pod.list", requestId: 7, ...range, isBrief: false },
  };
  expect(encodeEnvelope(list).toString("hex")).toMatchInlineSnapshot(
    `"534c06052000000000000000010000000200000001020000ceabe7344efd94b007000000000000000100000062010000007000000000e803000000010000002f"`,
  );
  expect(read(encodeEnvelope(list))).toEqual({ envelopes: [list], error: null });
});

test("the bytes of a hello never change", () => {
  const names = { clusterId: "vault", nodeId: "pod-02", expectedNodeId: "coordinator" };
  const hello = { ...names, bootId: 5, epoch: 3, nonce: "5a".repeat(32) };
  const { slab, start, end } = encodeHello(new FrameWriter(), "hello", hello);
  expect(slab.toString("hex", start, end)).toMatchInlineSnapshot(
    `"534c010056000000000000000000000000000000000000004b8860f67a9babb608000700050000007661756c7406000000706f642d30320b000000636f6f7264696e61746f72050000000000000003000000000000005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"`,
  );
});
