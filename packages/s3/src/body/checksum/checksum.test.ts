import { crc32 } from "node:zlib";
import { crc32c } from "@stashlight/checksum";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  checksumAlgorithms,
  isChecksumValue,
} from "../../checksum/algorithms.ts";
import { createWasmHash } from "../../checksum/wasm-hash.ts";
import { combineCrcs, crcPolynomials } from "./combine.ts";
import { multipartChecksum } from "./multipart.ts";

async function crc64(...pieces: readonly Uint8Array[]): Promise<string> {
  const crc = await createWasmHash("createCRC64");
  for (const piece of pieces) crc.update(piece);
  return crc.digest().toString("hex");
}

/** Computes the CRC bit by bit, from the definition. */
function slowCrc64(bytes: Uint8Array): string {
  let register = 0xffff_ffff_ffff_ffffn;
  for (const byte of bytes) {
    register ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) {
      register = register & 1n ? (register >> 1n) ^ 0x9a6c9329ac4bc9b5n : register >> 1n;
    }
  }
  return (register ^ 0xffff_ffff_ffff_ffffn).toString(16).padStart(16, "0");
}

test.each([
  ["123456789", "ae8b14860a799888"],
  ["", "0000000000000000"],
  ["a".repeat(4096), slowCrc64(Buffer.alloc(4096, "a"))],
])("the CRC-64/NVME of %j is correct", async (text, hex) => {
  expect(await crc64(Buffer.from(text))).toBe(hex);
});

test("CRC-64/NVME does not depend on how the bytes are split or placed in memory", async () => {
  const property = fc.asyncProperty(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(200),
    fc.nat(7),
    async (bytes, cut, shift) => {
      const shifted = new Uint8Array(bytes.length + shift);
      shifted.set(bytes, shift);
      const view = shifted.subarray(shift);
      expect(await crc64(view.subarray(0, cut), view.subarray(cut))).toBe(slowCrc64(bytes));
    },
  );
  await fc.assert(property);
});

const digestOf = {
  CRC32: async (bytes: Uint8Array) => crc32(bytes).toString(16).padStart(8, "0"),
  CRC32C: async (bytes: Uint8Array) => crc32c(bytes).toString(16).padStart(8, "0"),
  CRC64NVME: (bytes: Uint8Array) => crc64(bytes),
} as const;

test.each(["CRC32", "CRC32C", "CRC64NVME"] as const)(
  "%s of concatenated parts equals that of the whole",
  async (name) => {
    const parts = fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(parts, async (pieces) => {
      const crcs = await Promise.all(
        pieces.map(async (piece) => ({
          crc: Buffer.from(await digestOf[name](piece), "hex"),
          sizeBytes: piece.length,
        })),
      );
      const whole = await digestOf[name](Buffer.concat(pieces));
      expect(combineCrcs(crcPolynomials[name], crcs).toString("hex")).toBe(whole);
    });
    await fc.assert(property);
  },
);

const digestInPieces = async (algorithm: ChecksumAlgorithm, ...pieces: readonly Uint8Array[]) => {
  const hasher = await checksumAlgorithms[algorithm].create();
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest().toString("hex");
};

test.each([
  ["XXHASH3", "2d06800538d394c2"],
  ["XXHASH64", "ef46db3751d8e999"],
  ["XXHASH128", "99aa06d3014798d86001c324468d497f"],
] as const)("%s of an empty body matches the definition of xxHash", async (algorithm, hex) => {
  expect(await digestInPieces(algorithm)).toBe(hex);
});

test.each(CHECKSUM_ALGORITHMS)("%s does not depend on how the bytes are split", async (algorithm) => {
  const property = fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), fc.nat(600), async (bytes, cut) => {
    const whole = await digestInPieces(algorithm, bytes);
    expect(await digestInPieces(algorithm, bytes.subarray(0, cut), bytes.subarray(cut))).toBe(whole);
  });
  await fc.assert(property, { numRuns: 50 });
});

test("two running checksums of one algorithm do not disturb each other", async () => {
  const [a, b] = [await checksumAlgorithms.XXHASH3.create(), await checksumAlgorithms.XXHASH3.create()];
  a.update(Buffer.from("1234"));
  b.update(Buffer.from("other"));
  a.update(Buffer.from("56789"));
  expect(a.digest().toString("hex")).toBe("72dcb18b67a17dff");
});

test("a checksum is accepted only as base64 of exactly the algorithm's length", async () => {
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const { digestBytes, create } = checksumAlgorithms[algorithm];
    const value = (await create()).digest().toString("base64");
    expect(isChecksumValue(algorithm, value)).toBe(true);
    expect(isChecksumValue(algorithm, Buffer.alloc(digestBytes + 1).toString("base64"))).toBe(false);
    expect(isChecksumValue(algorithm, `${value} `)).toBe(false);
    expect(isChecksumValue(algorithm, "")).toBe(false);
  }
});

test("an upload with a part that has no checksum has none itself", async () => {
  const part = { partNumber: 1, sizeBytes: 1, etag: "", modifiedMs: 0, checksum: null };
  expect(await multipartChecksum({ algorithm: "CRC32", type: "FULL_OBJECT" }, [part])).toBeNull();
});
