/**
 * Combines the CRCs of A and B, and the length of B, into the CRC of A followed by B, so that a multipart upload's
 * checksum needs no second read. Works as zlib's crc32_combine: crc(AB) = crc(A) * x^(8 * length of B) mod P + crc(B),
 * over GF(2), with registers reflected (the highest bit is the coefficient of x^0).
 */

export interface CrcPolynomial {
  readonly bits: bigint;
  /** Reflected. */
  readonly polynomial: bigint;
}

export const crcPolynomials = {
  CRC32: { bits: 32n, polynomial: 0xedb88320n },
  CRC32C: { bits: 32n, polynomial: 0x82f63b78n },
  CRC64NVME: { bits: 64n, polynomial: 0x9a6c9329ac4bc9b5n },
} as const satisfies Record<string, CrcPolynomial>;

export interface CrcOfPart {
  readonly crc: Buffer;
  readonly sizeBytes: number;
}

export function combineCrcs(crc: CrcPolynomial, parts: readonly CrcOfPart[]): Buffer {
  // All parts but the last usually have one length, so its power is computed once.
  const powers = new Map<number, bigint>();
  let combined = 0n;
  for (const part of parts) {
    const power = powers.get(part.sizeBytes) ?? powerOfX(crc, BigInt(part.sizeBytes) * 8n);
    powers.set(part.sizeBytes, power);
    combined = multiply(crc, power, combined) ^ BigInt(`0x${part.crc.toString("hex")}`);
  }
  return Buffer.from(combined.toString(16).padStart(Number(crc.bits) / 4, "0"), "hex");
}

/** a * b mod P */
function multiply({ bits, polynomial }: CrcPolynomial, a: bigint, b: bigint): bigint {
  let product = 0n;
  let shifted = b;
  for (let bit = bits - 1n; bit >= 0n; bit--) {
    if ((a >> bit) & 1n) product ^= shifted;
    shifted = shifted & 1n ? (shifted >> 1n) ^ polynomial : shifted >> 1n;
  }
  return product;
}

/** x^exponent mod P */
function powerOfX(crc: CrcPolynomial, exponent: bigint): bigint {
  let power = 1n << (crc.bits - 1n);
  let square = 1n << (crc.bits - 2n);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = multiply(crc, square, power);
    square = multiply(crc, square, square);
  }
  return power;
}
