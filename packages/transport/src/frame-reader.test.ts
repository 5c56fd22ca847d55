import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sealHeader } from "./codec/frame.ts";
import { encodeMessage } from "./codec/messages.ts";
import { FrameWriter } from "./codec/writer.ts";
import { FrameReader } from "./frame-reader.ts";
import { makeAppend, makeFind } from "./testing/messages.ts";

const nobody = { role: 0, number: 0 };

function stream(payloadBytes: readonly number[]): { bytes: Buffer; frames: Buffer[] } {
  const writer = new FrameWriter();
  const frames = payloadBytes.map((length, number) => {
    const envelope =
      length === 0 ? makeFind(number) : makeAppend(number, new Uint8Array(length).fill(number));
    const { slab, start, end, payloads } = encodeMessage(writer, envelope);
    return Buffer.concat([slab.subarray(start, end), ...payloads]);
  });
  return { bytes: Buffer.concat(frames), frames };
}

test("frames are returned unchanged and in order, even if the bytes are split anywhere", () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 30 });
  const payloads = fc.array(fc.constantFrom(0, 0, 40, 900), { minLength: 1, maxLength: 12 });
  const inlet = Buffer.alloc(700);
  fc.assert(
    fc.property(payloads, cuts, fc.nat(5), fc.boolean(), fc.boolean(), (...drawn) => {
      const [lengths, sizes, eagerness, isBorrowed, areLent] = drawn;
      const { bytes, frames } = stream(lengths);
      const reader = new FrameReader(1_048_576, areLent);
      const received: Buffer[] = [];
      const drain = () => {
        for (let frame = reader.next(); frame; frame = reader.next()) {
          const { headBytes, payloadBytes } = frame.header;
          const bytes = frame.bytes.subarray(frame.at, frame.at + 32 + headBytes + payloadBytes);
          // Payloads are passed on as views unless they are lent; everything else is copied.
          received.push(payloadBytes > 0 && !areLent ? bytes : Buffer.from(bytes));
        }
      };
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] as number;
        const chunk = bytes.subarray(at, at + size);
        if (isBorrowed) reader.pushBorrowed(inlet.subarray(0, chunk.copy(inlet)));
        else reader.push(chunk);
        at += size;
        if (turn % (eagerness + 1) === 0) drain();
        reader.keep();
        inlet.fill(0xee);
      }
      drain();
      expect(received).toEqual(frames);
    }),
    { numRuns: 300 },
  );
});

test("a frame that is whole within a chunk is used in place", () => {
  const { bytes } = stream([100, 100]);
  const reader = new FrameReader(1_048_576);
  reader.push(bytes);
  expect(reader.next()?.bytes).toBe(bytes);
  expect(reader.next()?.bytes).toBe(bytes);
  expect(reader.next()).toBeNull();
});

test("lent frames share two buffers, whether they are in one chunk or span several", () => {
  const { bytes } = stream([900, 900, 900]);
  const inlet = Buffer.alloc(bytes.length);
  const reader = new FrameReader(1_048_576, true);
  const memories = new Set<ArrayBufferLike>();
  for (const [from, to] of [
    [0, 1000],
    [1000, 2500],
    [2500, bytes.length],
  ] as const) {
    reader.pushBorrowed(inlet.subarray(0, bytes.copy(inlet, 0, from, to)));
    for (let frame = reader.next(); frame; frame = reader.next()) memories.add(frame.bytes.buffer);
    reader.keep();
  }
  expect(memories.size).toBeLessThanOrEqual(2);
});

test("a frame above the limit is refused by its header alone, before any allocation for it", () => {
  const header = Buffer.alloc(32);
  const sizes = { headBytes: 0, payloadBytes: 0xffff_ffff };
  sealHeader(header, 0, { type: "message", kind: 1, ...sizes, from: nobody, to: nobody });
  const reader = new FrameReader(1_048_576);
  const beforeBytes = process.memoryUsage().arrayBuffers;
  reader.push(header);
  expect(() => reader.next()).toThrow(
    "A frame of 4294967327 bytes was announced; at most 1048576 are accepted.",
  );
  expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(1_048_576);
});
