import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32c, createCrc32c, supportedEngines } from "./crc32c.ts";
import { createMemory } from "./kernel/fold.ts";

/** Computes the checksum by its definition, bit by bit. */
function crc32cBitByBit(bytes: Uint8Array): number {
  let register = 0xffffffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit += 1) register = (register >>> 1) ^ (register & 1 ? 0x82f63b78 : 0);
  }
  return ~register >>> 0;
}

const ascending = Uint8Array.from({ length: 32 }, (_, index) => index);
const scsiRead = Buffer.from(
  "01c000000000000000000000000000001400000000000400000000140000001828000000000000000200000000000000",
  "hex",
);

/** Vectors from RFC 3720, appendix B.4, and the check value of the CRC catalogues. */
const knownVectors = [
  { name: "nothing", bytes: new Uint8Array(0), checksum: 0 },
  { name: '"123456789"', bytes: Buffer.from("123456789"), checksum: 0xe3069283 },
  { name: "32 zero bytes", bytes: new Uint8Array(32), checksum: 0x8a9136aa },
  { name: "32 bytes of ones", bytes: new Uint8Array(32).fill(0xff), checksum: 0x62a8ab43 },
  { name: "32 ascending bytes", bytes: ascending, checksum: 0x46dd794e },
  { name: "32 descending bytes", bytes: ascending.toReversed(), checksum: 0x113fdb5c },
  { name: "an iSCSI read command", bytes: scsiRead, checksum: 0xd9963a56 },
];

const engines = supportedEngines();

test("Node runs all three engines", () => {
  expect(engines).toEqual(["relaxed-simd", "simd", "js"]);
});

describe.each(engines)("CRC32C by %s", (engine) => {
  const memory = createMemory(4);
  const compute = createCrc32c({ engine, memory });
  const inMemory = (bytes: Uint8Array, offset: number) => {
    const view = new Uint8Array(memory.buffer, offset, bytes.length);
    view.set(bytes);
    return view;
  };

  test.each(knownVectors)("matches the published checksum of $name", ({ bytes, checksum }) => {
    expect(compute(bytes)).toBe(checksum);
    expect(compute(inMemory(bytes, 5))).toBe(checksum);
  });

  test("agrees with the definition at every length and offset, in place and copied", () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 1300 }), fc.integer({ min: 16_000, max: 50_000 }));
    const cases = fc.tuple(length, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(cases, ([length, offset, seed]) => {
        const bytes = Uint8Array.from({ length }, (_, index) => (index * index * 7 + index * 31 + seed) >> 3);
        const expected = crc32cBitByBit(bytes);
        expect(compute(bytes)).toBe(expected);
        expect(compute(inMemory(bytes, offset))).toBe(expected);
        expect(new Uint8Array(memory.buffer, offset, length)).toEqual(bytes);
      }),
    );
  });

  test("continues a checksum over any split of the bytes", () => {
    const cut = fc.integer({ min: 0, max: 3000 });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1000, maxLength: 3000 }), cut, cut, (bytes, one, other) => {
        const [first = 0, second = 0] = [one, other].sort((a, b) => a - b);
        const parts = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect(parts.reduce((previous, part) => compute(part, previous), 0)).toBe(crc32cBitByBit(bytes));
      }),
    );
  });

  test("changes when any bit is flipped", () => {
    const bytes = new Uint8Array(640).fill(0x5a);
    const checksums = new Set([compute(bytes)]);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = bytes.slice();
      flipped[bit >> 3] = 0x5a ^ (1 << (bit & 7));
      checksums.add(compute(flipped));
    }
    expect(checksums.size).toBe(1 + bytes.length * 8);
  });
});

test("the default function agrees with the definition", () => {
  const bytes = Uint8Array.from({ length: 70_001 }, (_, index) => (index * 2654435761) >>> 24);
  expect(crc32c(bytes)).toBe(crc32cBitByBit(bytes));
  expect(crc32c(bytes.subarray(9), crc32c(bytes.subarray(0, 9)))).toBe(crc32cBitByBit(bytes));
});

test.each([-1, 1.5, 2 ** 32, Number.NaN])("a previous checksum of %s is refused", (previous) => {
  expect(() => crc32c(new Uint8Array(1), previous)).toThrow(
    `The previous CRC32C must be an integer from 0 to 4294967295; ${previous} was given.`,
  );
});

test("a memory of the wrong type is refused", () => {
  const memory = { buffer: new ArrayBuffer(65_536) };
  expect(() => createCrc32c({ memory })).toThrow("The memory given to CRC32C must be a WebAssembly.Memory.");
});
