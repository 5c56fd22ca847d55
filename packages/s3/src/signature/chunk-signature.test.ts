import { expect, test } from "vitest";
import { ChunkedDecoder } from "../body/chunked-decoder.ts";
import { readTrailer } from "../body/trailer.ts";
import { encodeSignedChunks } from "../testing/signer.ts";
import { createChunkSignatures } from "./chunk-signature.ts";
import { deriveSigningKey } from "./signing-key.ts";

const scope = { date: "20260131", region: "us-east-1", service: "s3" };
const seed = {
  signingKey: deriveSigningKey("secret", scope),
  timestamp: "20260131T120000Z",
  scope,
  signature: "0".repeat(64),
};
const content = Buffer.from("some content");
const body = encodeSignedChunks(
  seed,
  [content.subarray(0, 5), content.subarray(5)],
  "x-amz-checksum-crc32:AAAAAA==",
);

function decode(bytes: Buffer, from = seed): Buffer {
  const signatures = createChunkSignatures(from);
  const limits = { signedChunkBytesMax: 100, trailerBytesMax: 1000 };
  const decoder = new ChunkedDecoder({ ...limits, signatures, decodedBytes: content.length });
  const data = Buffer.concat(decoder.push(bytes));
  readTrailer(decoder.end(), { algorithm: "CRC32", signatures });
  return data;
}

test("one flipped bit in any signature of a chunk or trailer is refused with 403", () => {
  expect(decode(body).equals(content)).toBe(true);
  const text = body.toString("latin1");
  const found = [...text.matchAll(/signature[=:]([0-9a-f]{64})/g)];
  expect(found).toHaveLength(4);
  for (const match of found) {
    const at = match.index + match[0].length - 64;
    for (let bit = 0; bit < 256; bit++) {
      const signature = Buffer.from(match[1] as string, "hex");
      signature[bit >> 3] = (signature[bit >> 3] as number) ^ (1 << (bit & 7));
      const changed = text.slice(0, at) + signature.toString("hex") + text.slice(at + 64);
      expect(() => decode(Buffer.from(changed, "latin1"))).toThrow(
        expect.objectContaining({ code: "SignatureDoesNotMatch", status: 403 }),
      );
    }
  }
});

test("chunks that are left out, repeated, swapped or taken from another request are refused", () => {
  const text = body.toString("latin1");
  const [first = "", second = "", rest = ""] = text.split(/(?<=some \r\n)|(?<=content\r\n)/);
  expect(first + second + rest).toBe(text);
  for (const changed of [second + rest, first + rest, first + first + rest, second + first + rest]) {
    expect(() => decode(Buffer.from(changed, "latin1"))).toThrow();
  }
  expect(() => decode(body, { ...seed, signature: "1".repeat(64) })).toThrow("does not match");
});
