/** Reads the trailer of a chunked body: the announced checksum, and its signature if the body is signed. */

import { type ChecksumAlgorithm, checksumHeader, isChecksumValue } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import type { ChunkSignatures } from "../signature/chunk-signature.ts";

const SIGNATURE = "x-amz-trailer-signature";

/**
 * Returns the base64 checksum in the trailer, or null if none was announced, in which case the trailer must be empty.
 * Lines may end with CR LF or LF, and an empty line may precede the signature; no other variation is accepted.
 */
export function readTrailer(
  text: string,
  { algorithm, signatures }: { algorithm: ChecksumAlgorithm | null; signatures: ChunkSignatures | null },
): string | null {
  const fields = parseLines(text);
  if (algorithm === null) {
    if (fields.size > 0) throw malformed("no trailer was announced");
    return null;
  }
  const name = checksumHeader(algorithm);
  const value = fields.get(name);
  if (value === undefined || !isChecksumValue(algorithm, value))
    throw malformed(`${name} is missing or not valid`);
  const signature = fields.get(SIGNATURE);
  if (fields.size !== (signatures ? 2 : 1)) throw malformed("it has other lines than announced");
  if (signatures) {
    if (signature === undefined) throw malformed(`${SIGNATURE} is missing`);
    signatures.checkTrailer(`${name}:${value}\n`, signature);
  }
  return value;
}

function parseLines(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (line === "" || line === "\r") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon < 1 || fields.has(name))
      throw malformed("a line is not of the form name:value, or is repeated");
    fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

function malformed(what: string): S3Error {
  return new S3Error("MalformedTrailerError", `The trailer of the body is malformed: ${what}.`, {
    closesConnection: true,
  });
}
