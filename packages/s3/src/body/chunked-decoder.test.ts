import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createChunkSignatures, type SignatureSeed } from "../signature/chunk-signature.ts";
import { deriveSigningKey } from "../signature/signing-key.ts";
import { encodeSignedChunks, encodeUnsignedChunks } from "../testing/signer.ts";
import { ChunkedDecoder, UnverifiedChunks } from "./chunked-decoder.ts";
import type { BodyChunk } from "./hash/body-hash.ts";
import { readTrailer } from "./trailer.ts";

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

test.each([true, false])("a body cut anywhere gives the same bytes (signed: %s)", (isSigned) => {
  const property = fc.property(chunks, cuts, (given, at) => {
    const expected = Buffer.concat(given);
    const body = isSigned ? encodeSignedChunks(seed, given, TRAILER) : encodeUnsignedChunks(given, TRAILER);
    const { data, trailer } = decode(body, at, expected.length, isSigned);
    expect(data.equals(expected)).toBe(true);
    expect(trailer).toContain(TRAILER);
  });
  fc.assert(property, { numRuns: 300 });
});

test("a body cut into single bytes gives the same bytes", () => {
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

/** Decodes without verifying large chunks as they arrive, and verifies them at the end. */
function decodeUnverified(body: Buffer, at: readonly number[], decodedBytes: number): Buffer {
  const unverified = new UnverifiedChunks();
  const signatures = createChunkSignatures(seed);
  const limits = { signedChunkBytesMax: 50_000, trailerBytesMax: 1000 };
  const decoder = new ChunkedDecoder({ ...limits, signatures, unverified, decodedBytes });
  const bounds = [0, ...at, body.length];
  const pieces = bounds.slice(1).flatMap((end, i) => [...decoder.push(body.subarray(bounds[i], end))]);
  const trailer = decoder.end();
  const data = Buffer.concat(pieces);
  const hash = ({ from, to }: BodyChunk) => createHash("sha256").update(data.subarray(from, to)).digest();
  unverified.verify(unverified.chunks.map(hash));
  readTrailer(trailer, { algorithm: "CRC32", signatures });
  return data;
}

test("chunks verified at the end give the same bytes, and a flipped bit in any is refused", () => {
  const given = [40_000, 20_000, 300, 30_000].map((size) => randomBytes(size));
  const content = Buffer.concat(given);
  const body = encodeSignedChunks(seed, given, TRAILER);
  const cuts = [10, 25_000, 40_090, 60_200, 60_700];
  expect(decodeUnverified(body, cuts, content.length).equals(content)).toBe(true);
  for (let at = 0; at < body.indexOf(TRAILER); at += at < 100 || at > 60_000 ? 13 : 991) {
    const changed = Buffer.from(body);
    changed[at] = (changed[at] as number) ^ 1;
    const refused = expect.objectContaining({ name: "S3Error" });
    expect(() => decodeUnverified(changed, cuts, content.length), `bit at ${at}`).toThrow(refused);
  }
});
