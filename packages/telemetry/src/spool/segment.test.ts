import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodePayload, decodeSegment, ENTRY_HEAD_BYTES, encodeEntry, type SpoolEntry } from "./segment.ts";

/** Text that mostly repeats in each window, like a batch. */
const makeBatch = (number: number): Uint8Array =>
  new TextEncoder().encode(
    Array.from({ length: 40 }, (_, i) => `stashlight_metric_${i * 7919} ${number * i}`).join(),
  );
const makeEntry = (payload: Uint8Array, number = 1): SpoolEntry => ({
  startMs: number * 10_000,
  endMs: (number + 1) * 10_000,
  payload,
});

function makeSegment(payloads: readonly Uint8Array[]): Uint8Array {
  const first = payloads[0] ?? null;
  return Buffer.concat(payloads.map((each, i) => encodeEntry(makeEntry(each, i), i === 0 ? null : first)));
}

function payloadsIn(bytes: Uint8Array) {
  const { entries, isWhole } = decodeSegment(bytes);
  const first = entries[0] === undefined ? null : decodePayload(entries[0], null);
  return { isWhole, payloads: entries.map((each) => decodePayload(each, first)) };
}

test("any payload is restored exactly", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (payloads) => {
      const read = payloadsIn(makeSegment(payloads));
      expect(read.isWhole).toBe(true);
      expect(read.payloads.map((each) => [...(each ?? [])])).toEqual(payloads.map((each) => [...each]));
    }),
  );
});

test("an entry is never longer than its payload, and is much shorter if it resembles the first one", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (payload) => {
      expect(encodeEntry(makeEntry(payload), null).length).toBeLessThanOrEqual(
        ENTRY_HEAD_BYTES + payload.length,
      );
    }),
  );
  const alone = encodeEntry(makeEntry(makeBatch(2)), null);
  const beside = encodeEntry(makeEntry(makeBatch(2)), makeBatch(1));
  expect(beside.length).toBeLessThan(alone.length);
});

test("an entry stored uncompressed is encoded to these bytes", () => {
  const bytes = encodeEntry({ startMs: 1, endMs: 2, payload: Uint8Array.of(7) }, null);
  expect(Buffer.from(bytes).toString("hex")).toBe("01000000c295c9b7000000000000f03f000000000000004007");
});

describe("damage", () => {
  const file = makeSegment([1, 2, 3, 4].map(makeBatch));
  const whole = payloadsIn(file).payloads;

  test("at any cut leaves the entries before it, and marks the file as cut", () => {
    const ends = new Set<number>([0]);
    for (let at = 0, number = 1; number <= 4; number += 1) {
      at += encodeEntry(makeEntry(makeBatch(number)), number === 1 ? null : makeBatch(1)).length;
      ends.add(at);
    }
    for (let length = 0; length < file.length; length += 1) {
      const { payloads, isWhole } = payloadsIn(file.subarray(0, length));
      expect(payloads).toEqual(whole.slice(0, payloads.length));
      expect(isWhole).toBe(ends.has(length));
    }
  });

  test("of any one bit never yields a wrong payload", () => {
    for (let bit = 0; bit < file.length * 8; bit += 5) {
      const flipped = Uint8Array.from(file);
      (flipped[bit >> 3] as number) ^= 1 << (bit & 7);
      const { payloads, isWhole } = payloadsIn(flipped);
      expect(isWhole).toBe(false);
      expect(payloads).toEqual(whole.slice(0, payloads.length));
    }
  });

  test("that leaves an invalid frame under a valid CRC yields no payload", () => {
    const entry = Buffer.from(encodeEntry(makeEntry(makeBatch(1)), null));
    entry.fill(0, ENTRY_HEAD_BYTES);
    entry.writeUInt32LE(crc32(entry.subarray(8), 1), 4);
    expect(payloadsIn(entry)).toEqual({ isWhole: true, payloads: [null] });
  });
});
