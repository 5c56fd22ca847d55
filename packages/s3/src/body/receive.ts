/** The body of a request, unframed and verified: whole if it is small, otherwise a stream with a check at its end. */
import type { Readable } from "node:stream";
import type { ChecksumAlgorithm } from "../checksum/algorithms.ts";
import { S3Error } from "../errors.ts";
import type { S3Limits } from "../limits.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { Authenticated } from "../signature/authenticate.ts";
import { createChunkSignatures } from "../signature/chunk-signature.ts";
import type { BodyChunks, BodyDigests, StreamedBody, UploadBody } from "../store.ts";
import { type DeclaredChecksum, readDeclaredChecksum } from "./checksum/declared.ts";
import { ChunkedDecoder } from "./chunked-decoder.ts";
import { createDigests, parseContentMd5, type RunningDigests } from "./digests.ts";
import { type BodyHash, hashHere } from "./hash/body-hash.ts";
import { openBodyHash } from "./hash/open.ts";
import { readPaced } from "./paced.ts";
import { readTrailer } from "./trailer.ts";

export interface RequestBody {
  /** Null when the client announced none. */
  readonly declaredChecksum: DeclaredChecksum | null;
  /**
   * Reads the headers about the body, and refuses a bad request before the client gets "100 Continue". `algorithm` is
   * the checksum to store if the client announced none.
   */
  receive(algorithm: ChecksumAlgorithm | null): Promise<UploadBody>;
  /**
   * Reads the body of an operation whose argument is XML; empty when there is none. CompleteMultipartUpload's checksum
   * header is for the object, not for this body. `bytesMax` is the operation's own limit.
   */
  receiveText(options?: {
    readonly checksumIsOf?: "body" | "object";
    readonly bytesMax?: number;
  }): Promise<string>;
}

export interface BodySource {
  readonly stream: Readable;
  readonly headers: RequestHeaders;
  readonly authenticated: Pick<Authenticated, "payloadMode" | "seed">;
  readonly limits: S3Limits;
  /** True if this thread has other requests to work on. */
  readonly isBusy: () => boolean;
  /** Called with the time that hashing took. */
  readonly onHashed: (durationMs: number) => void;
  /** Called just before the body is read, which is the moment to answer "100 Continue". */
  readonly onStart: () => void;
}

export function createRequestBody(source: BodySource): RequestBody {
  const { headers, limits, authenticated } = source;
  const readDeclared = () => readDeclaredChecksum(headers, authenticated.payloadMode);
  return {
    get declaredChecksum() {
      return readDeclared();
    },
    receive: async (algorithm) => {
      const declared = readDeclared();
      const sizeBytes = readSize(source, { isRequired: true });
      if (sizeBytes > limits.uploadBytesMax)
        throw tooLarge("EntityTooLarge", sizeBytes, limits.uploadBytesMax);
      const hashed = { declared, algorithm: declared?.algorithm ?? algorithm };
      const body = await openBody(source, hashed, (hasSha256) =>
        sizeBytes > limits.smallUploadBytesMax
          ? hashHere(hasSha256)
          : openBodyHash(sizeBytes, hasSha256, source.isBusy()),
      );
      return await toUploadBody(body, sizeBytes, limits);
    },
    receiveText: async ({ checksumIsOf = "body", bytesMax = Number.POSITIVE_INFINITY } = {}) => {
      const sizeBytes = readSize(source, { isRequired: false });
      const { xmlBytesMax } = limits;
      if (sizeBytes > xmlBytesMax) throw tooLarge("MaxMessageLengthExceeded", sizeBytes, xmlBytesMax);
      if (sizeBytes > bytesMax)
        throw tooLarge(
          "EntityTooLarge",
          sizeBytes,
          bytesMax,
          "The body is longer than this operation allows.",
        );
      const declared = checksumIsOf === "body" ? readDeclared() : null;
      const hashed = { declared, algorithm: declared?.algorithm ?? null };
      const { bytes } = await whole(await openBody(source, hashed, hashHere), sizeBytes);
      return decodeText(bytes);
    },
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Rejects invalid UTF-8: with a replacement character the name would be a different one, which might exist. */
function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new S3Error("MalformedXML", "The body is not UTF-8.", { cause: error });
  }
}

/** Turns the bytes of a copied object into a body for the store. */
export async function bodyOfCopy(
  pieces: BodyChunks,
  sizeBytes: number,
  { algorithm, limits }: { algorithm: ChecksumAlgorithm | null; limits: S3Limits },
): Promise<UploadBody> {
  const digests = await createDigests({ sha256Hex: null, md5Hex: null, algorithm }, hashHere(false));
  const buffers = async function* () {
    for await (const piece of pieces) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  };
  return await toUploadBody(
    { digests, pieces: buffers(), finish: () => digests.finish(null) },
    sizeBytes,
    limits,
  );
}

async function toUploadBody(body: OpenBody, sizeBytes: number, limits: S3Limits): Promise<UploadBody> {
  if (sizeBytes <= limits.smallUploadBytesMax) return await whole(body, sizeBytes);
  return streamBody(body, sizeBytes, (receivedBytes) => checkReceived(receivedBytes, sizeBytes));
}

export interface OpenBody {
  readonly digests: RunningDigests;
  /** The decoded bytes, not hashed yet. */
  readonly pieces: AsyncIterable<Buffer>;
  /** Called after the last piece. */
  finish(): Promise<BodyDigests>;
}

interface HashedAs {
  readonly declared: DeclaredChecksum | null;
  readonly algorithm: ChecksumAlgorithm | null;
}

async function openBody(
  { stream, headers, authenticated, limits, onStart, onHashed }: BodySource,
  { declared, algorithm }: HashedAs,
  openHash: (hasSha256: boolean) => BodyHash,
): Promise<OpenBody> {
  const { payloadMode: mode, seed } = authenticated;
  const expected = {
    sha256Hex: mode.kind === "hashed" ? mode.sha256Hex : null,
    md5Hex: parseContentMd5(headers.get("content-md5")),
    algorithm,
  };
  const digests = await createDigests(expected, openHash(expected.sha256Hex !== null), onHashed);
  const paced = async function* () {
    onStart();
    yield* readPaced(stream, limits);
  };
  if (mode.kind !== "chunked") {
    return { digests, pieces: paced(), finish: () => digests.finish(declared?.value ?? null) };
  }
  const signatures = mode.isSigned ? createChunkSignatures(seed) : null;
  const decoder = new ChunkedDecoder({ ...limits, signatures, decodedBytes: readDecodedSize(headers) });
  let announced = declared?.value ?? null;
  const decoded = async function* () {
    for await (const piece of paced()) yield* decoder.push(piece);
    const trailer = readTrailer(decoder.end(), {
      algorithm: declared?.value === null ? declared.algorithm : null,
      signatures,
    });
    announced ??= trailer;
  };
  return { digests, pieces: decoded(), finish: () => digests.finish(announced) };
}

async function whole(body: OpenBody, sizeBytes: number): Promise<Extract<UploadBody, { kind: "whole" }>> {
  const bytes = await wholeBytes(body, sizeBytes).catch((error: unknown) => {
    body.digests.abandon();
    throw error;
  });
  return { kind: "whole", bytes, digests: await body.finish() };
}

async function wholeBytes({ pieces, digests }: OpenBody, sizeBytes: number): Promise<Buffer> {
  let bytes: Buffer | null = null;
  let receivedBytes = 0;
  for await (const piece of pieces) {
    if (receivedBytes === 0 && piece.length === sizeBytes) {
      bytes = piece;
    } else {
      bytes ??= Buffer.allocUnsafeSlow(sizeBytes);
      if (receivedBytes + piece.length > sizeBytes) throw new S3Error("IncompleteBody");
      piece.copy(bytes, receivedBytes);
    }
    // Hashes each piece as it arrives, while the client sends the next one.
    digests.update(piece);
    receivedBytes += piece.length;
  }
  checkReceived(receivedBytes, sizeBytes);
  return bytes ?? Buffer.alloc(0);
}

/** `checkSize` gets the number of bytes that arrived, and throws if it is wrong. */
export function streamBody(
  body: OpenBody,
  sizeBytesMax: number,
  checkSize: (receivedBytes: number) => void = () => undefined,
): StreamedBody {
  let verified: BodyDigests | null = null;
  let failure: unknown = new S3Error(
    "InternalError",
    "A body was not read to its end before it was verified.",
  );
  const read = async function* () {
    let receivedBytes = 0;
    try {
      for await (const piece of body.pieces) {
        body.digests.update(piece);
        receivedBytes += piece.length;
        yield piece;
      }
      checkSize(receivedBytes);
      verified = await body.finish();
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const verify = async () => {
    if (verified === null) throw failure;
    return verified;
  };
  return { kind: "stream", sizeBytesMax, chunks: read(), verify };
}

function checkReceived(receivedBytes: number, sizeBytes: number): void {
  if (receivedBytes !== sizeBytes) throw new S3Error("IncompleteBody", undefined, { closesConnection: true });
}

/** Reads the size of the content, without the framing of chunks. */
function readSize({ headers, authenticated }: BodySource, { isRequired }: { isRequired: boolean }): number {
  if (authenticated.payloadMode.kind === "chunked") return readDecodedSize(headers);
  const length = parseSize(headers.get("content-length"));
  if (length !== null) return length;
  if (isRequired || headers.get("transfer-encoding") !== undefined) throw new S3Error("MissingContentLength");
  return 0;
}

function readDecodedSize(headers: RequestHeaders): number {
  const size = parseSize(headers.get("x-amz-decoded-content-length"));
  if (size !== null) return size;
  throw new S3Error("MissingContentLength", "A chunked body needs an x-amz-decoded-content-length header.");
}

function parseSize(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text))
    throw new S3Error("InvalidArgument", "The length of the body is not a number.");
  return Number(text);
}

export function tooLarge(
  code: "EntityTooLarge" | "MaxMessageLengthExceeded",
  sizeBytes: number,
  max: number,
  message?: string,
): S3Error {
  return new S3Error(code, message, {
    details: { ProposedSize: String(sizeBytes), MaxSizeAllowed: String(max) },
  });
}
