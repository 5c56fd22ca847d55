import fc from "fast-check";
import { expect, test } from "vitest";
import { createChunkSignatures, type SignatureSeed } from "../signature/chunk-signature.ts";
import { deriveSigningKey } from "../signature/signing-key.ts";
import { encodeSignedChunks, encodeUnsignedChunks } from "../testing/signer.ts";
import { ChunkedDecoder } from "./chunked-decoder.ts";

const scope = { date: "20260131", region: "us-east-1", service: "s3" };
const seed: SignatureSeed = {
  signingKey: deriveSigningKey("secret", scope),
  timestamp: "20260131T120000Z",
  scope,
  signature: "0".repeat(64),
};
const TRAILER = "x-amz-checksum-crc32:AAAAAA==";

const chunks = fc.array(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 6 },
);
const cuts = fc.array(fc.nat(3000), { maxLength: 40 });

function decode(body: Buffer, at: readonly number[], decodedBytes: number, isSigned: boolean) {
  const signatures = isSigned ? createChunkSignatures(seed) : null;
  const limits = { signedChunkBytesMax: 300, trailerBytesMax: 1000 };
  const decoder = new ChunkedDecoder({ ...limits, signatures, decodedBytes });
  const bounds = [0, ...at.filter((cut) => cut < body.length).sort((a, b) => a - b), body.length];
  const pieces: Buffer[] = [];
  for (let i = 1; i < bounds.length; i++)
    pieces.push(...decoder.push(body.subarray(bounds[i - 1], bounds[i])));
  return { data: Buffer.concat(pieces), trailer: decoder.end() };
}

test.each([true, false])("a body split anywhere gives the same bytes (signed: %s)", (isSigned) => {
  const property = fc.property(chunks, cuts, (given, at) => {
    const expected = Buffer.concat(given);
    const body = isSigned ? encodeSignedChunks(seed, given, TRAILER) : encodeUnsignedChunks(given, TRAILER);
    const { data, trailer } = decode(body, at, expected.length, isSigned);
    expect(data.equals(expected)).toBe(true);
    expect(trailer).toContain(TRAILER);
  });
  fc.assert(property, { numRuns: 300 });
});

test("a body split into single bytes gives the same bytes", () => {
  const given = [Buffer.alloc(20, "a"), Buffer.alloc(17, "b")];
  const body = encodeSignedChunks(seed, given);
  const everywhere = Array.from({ length: body.length }, (_, i) => i);
  expect(decode(body, everywhere, 37, true).data.equals(Buffer.concat(given))).toBe(true);
});

test("a body that ends before its last chunk is refused", () => {
  const given = [Buffer.alloc(20, "a"), Buffer.alloc(17, "b")];
  const body = encodeUnsignedChunks(given, TRAILER);
  const lastChunk = body.indexOf("0\r\nx-amz");
  for (let end = 0; end < lastChunk + 3; end++) {
    expect(() => decode(body.subarray(0, end), [], 37, false)).toThrow(/within a chunk/);
  }
});

test("any bytes are decoded or refused with an S3 error, never with another error", () => {
  const word = fc.constantFrom(
    "0",
    "5",
    "a",
    "\r\n",
    "\n",
    ";chunk-signature=",
    "hello",
    ":",
    "\0",
    "ffffffff",
  );
  const noise = fc.array(word, { maxLength: 30 }).map((words) => Buffer.from(words.join(""), "latin1"));
  const property = fc.property(noise, cuts, fc.boolean(), (body, at, isSigned) => {
    try {
      expect(decode(body, at, 5, isSigned).data.length).toBe(5);
    } catch (error) {
      expect(error).toMatchObject({ name: "S3Error", closesConnection: true });
    }
  });
  fc.assert(property, { numRuns: 1000 });
});
