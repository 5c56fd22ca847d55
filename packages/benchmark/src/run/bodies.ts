/** Upload bodies: generated before the run from a seed, incompressible, several per size used in turn. */
import { createCipheriv, createHash } from "node:crypto";
import type { RequestBody } from "../endpoint/driver.ts";

/** Bytes with the hashes that stores report. */
export type UploadBody = RequestBody;

const BODY_COUNT = 4;
const BYTES_MAX = 268_435_456;

/** Returns `byteCount` bytes of a key stream, which cannot be compressed; the same for the same seed and name. */
export function seededBytes(seed: number, name: string, byteCount: number): Buffer {
  const key = createHash("sha256").update(`${seed}/${name}`).digest().subarray(0, 16);
  const bytes = Buffer.allocUnsafeSlow(byteCount).fill(0);
  const cipher = createCipheriv("aes-128-ctr", key, Buffer.alloc(16));
  const stepBytes = 16_777_216;
  for (let start = 0; start < byteCount; start += stepBytes) {
    cipher.update(bytes.subarray(start, start + stepBytes)).copy(bytes, start);
  }
  return bytes;
}

export function toUploadBody(bytes: Buffer): UploadBody {
  return {
    bytes,
    md5Hex: createHash("md5").update(bytes).digest("hex"),
    sha256Hex: createHash("sha256").update(bytes).digest("hex"),
  };
}

/**
 * Bodies of one size, used in turn: four, or two if four would take more than 256 MiB; then they share memory, and each
 * begins at a different byte of it.
 */
export function createBodies(seed: number, sizeBytes: number): readonly UploadBody[] {
  if (sizeBytes * BODY_COUNT > BYTES_MAX) return createBlocks(seed, sizeBytes, 2);
  return Array.from({ length: BODY_COUNT }, (_, index) =>
    toUploadBody(seededBytes(seed, `body/${sizeBytes}/${index}`, sizeBytes)),
  );
}

/**
 * Blocks of a data set, all different although they share memory: each begins at a different byte of the same seeded
 * bytes. The stride is odd and larger than any compressor's window.
 */
export function createBlocks(seed: number, blockBytes: number, blockCount: number): readonly UploadBody[] {
  const strideBytes = 4099;
  const pool = seededBytes(
    seed,
    `blocks/${blockBytes}`,
    blockBytes + strideBytes * Math.max(0, blockCount - 1),
  );
  return Array.from({ length: blockCount }, (_, index) => {
    const start = index * strideBytes;
    return toUploadBody(pool.subarray(start, start + blockBytes));
  });
}

/** Collects garbage if the process allows it, so that garbage from the preparation is not collected during a sample. */
export function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}
