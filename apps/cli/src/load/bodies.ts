import { createHash, randomFillSync } from "node:crypto";

export interface Body {
  readonly bytes: Buffer;
  readonly md5: string;
}

const POOL_BYTES_MAX = 33_554_432;
const POOL_COUNT_MAX = 61;

/**
 * Random bodies with their MD5s, created beforehand so that the loader's own work does not count. Their number is prime
 * if memory allows, so that a key gets a different one each time.
 */
export function createBodies(sizeBytes: number): readonly Body[] {
  const count = Math.max(2, Math.min(POOL_COUNT_MAX, Math.floor(POOL_BYTES_MAX / sizeBytes)));
  return Array.from({ length: count }, () => {
    const bytes = randomFillSync(Buffer.allocUnsafe(sizeBytes));
    return { bytes, md5: createHash("md5").update(bytes).digest("hex") };
  });
}
