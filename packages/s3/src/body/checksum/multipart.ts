/** Computes the ETag and the checksum of an object from those of its parts. */
import { createHash } from "node:crypto";
import {
  type ChecksumAlgorithm,
  type ChecksumType,
  checksumAlgorithms,
  type ObjectChecksum,
} from "../../checksum/algorithms.ts";
import type { StoredPart } from "../../store.ts";
import { combineCrcs, crcPolynomials } from "./combine.ts";

/** MD5 of the parts' MD5s, followed by the number of parts. */
export function compositeEtag(etags: readonly string[]): string {
  const hash = createHash("md5");
  for (const etag of etags) hash.update(etag, "hex");
  return `${hash.digest("hex")}-${etags.length}`;
}

/** Null when a part has no checksum of this algorithm. */
export async function multipartChecksum(
  { algorithm, type }: { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType },
  parts: readonly StoredPart[],
): Promise<ObjectChecksum | null> {
  const values: Buffer[] = [];
  for (const { checksum } of parts) {
    if (checksum?.algorithm !== algorithm) return null;
    values.push(Buffer.from(checksum.value, "base64"));
  }
  if (type === "COMPOSITE") {
    const hasher = await checksumAlgorithms[algorithm].create();
    for (const value of values) hasher.update(value);
    return { algorithm, type, value: `${hasher.digest().toString("base64")}-${parts.length}` };
  }
  if (!isCrc(algorithm)) return null;
  const crcs = parts.map(({ sizeBytes }, i) => ({ crc: values[i] as Buffer, sizeBytes }));
  const value = combineCrcs(crcPolynomials[algorithm], crcs).toString("base64");
  return { algorithm, type, value };
}

function isCrc(algorithm: ChecksumAlgorithm): algorithm is keyof typeof crcPolynomials {
  return Object.hasOwn(crcPolynomials, algorithm);
}
