/**
 * Turns the file of a form into a body for the store. Its size is known only at its end, so the body has an upper bound
 * instead.
 */
import type { ChecksumAlgorithm } from "../../checksum/algorithms.ts";
import { S3Error } from "../../errors.ts";
import type { S3Limits } from "../../limits.ts";
import type { RequestHeaders } from "../../request/headers.ts";
import type { UploadBody } from "../../store.ts";
import { readDeclaredChecksum } from "../checksum/declared.ts";
import { createDigests, parseContentMd5 } from "../digests.ts";
import { hashHere } from "../hash/body-hash.ts";
import { openBodyHash } from "../hash/open.ts";
import { type OpenBody, type RequestBody, streamBody, tooLarge } from "../receive.ts";
import type { FormUpload } from "./form-upload.ts";

export interface FileBounds {
  readonly bytesMin: number;
  readonly bytesMax: number;
}

export interface FileSource {
  readonly form: Pick<FormUpload, "file" | "fieldBytes">;
  /** The fields of the form. */
  readonly headers: RequestHeaders;
  /** Length of the whole form, with all its fields. */
  readonly contentLength: number;
  readonly bounds: FileBounds;
  readonly limits: S3Limits;
  readonly isBusy: () => boolean;
  readonly onHashed: (durationMs: number) => void;
}

export function createFileBody(source: FileSource): RequestBody {
  const { form, headers, limits, bounds, contentLength, isBusy, onHashed } = source;
  const readDeclared = () => readDeclaredChecksum(headers, { kind: "unsigned" });
  return {
    get declaredChecksum() {
      return readDeclared();
    },
    receive: async (algorithm: ChecksumAlgorithm | null) => {
      const declared = readDeclared();
      const md5Hex = parseContentMd5(headers.get("content-md5"));
      const sizeBytesMax = Math.max(0, contentLength - form.fieldBytes);
      // Allows for fields after the file, which count towards the form but not the file.
      if (sizeBytesMax - limits.formFieldBytesMax > bounds.bytesMax) throw tooLargeFile(sizeBytesMax, bounds);
      const isSmall = sizeBytesMax <= limits.smallUploadBytesMax;
      const hash = isSmall ? openBodyHash(sizeBytesMax, false, isBusy()) : hashHere(false);
      const expected = { sha256Hex: null, md5Hex, algorithm: declared?.algorithm ?? algorithm };
      const digests = await createDigests(expected, hash, onHashed);
      const pieces = withinBounds(form.file, bounds);
      const body = { digests, pieces, finish: () => digests.finish(declared?.value ?? null) };
      return await readAhead(body, Math.min(sizeBytesMax, bounds.bytesMax), limits);
    },
    receiveText: () => Promise.reject(new TypeError("A form has no XML.")),
  };
}

async function* withinBounds(
  file: AsyncIterable<Buffer>,
  bounds: FileBounds,
): AsyncGenerator<Buffer, void, undefined> {
  let receivedBytes = 0;
  for await (const piece of file) {
    receivedBytes += piece.length;
    if (receivedBytes > bounds.bytesMax) throw tooLargeFile(receivedBytes, bounds);
    yield piece;
  }
  if (receivedBytes >= bounds.bytesMin) return;
  throw new S3Error("EntityTooSmall", "The file is smaller than the policy of the form allows.", {
    details: { ProposedSize: String(receivedBytes), MinSizeAllowed: String(bounds.bytesMin) },
  });
}

/** Reads the file; returns it whole if it turns out to be small. */
async function readAhead(body: OpenBody, sizeBytesMax: number, limits: S3Limits): Promise<UploadBody> {
  const { digests, pieces } = body;
  const iterator = pieces[Symbol.asyncIterator]();
  const ahead: Buffer[] = [];
  let aheadBytes = 0;
  try {
    while (aheadBytes <= limits.smallUploadBytesMax) {
      const { value, done } = await iterator.next();
      if (done) {
        for (const piece of ahead) digests.update(piece);
        return { kind: "whole", bytes: Buffer.concat(ahead), digests: await body.finish() };
      }
      ahead.push(value);
      aheadBytes += value.length;
    }
  } catch (error) {
    digests.abandon();
    throw error;
  }
  const all = async function* () {
    yield* ahead.splice(0);
    for (;;) {
      const { value, done } = await iterator.next();
      if (done) return;
      yield value;
    }
  };
  return streamBody({ ...body, pieces: all() }, sizeBytesMax);
}

function tooLargeFile(sizeBytes: number, { bytesMax }: FileBounds): S3Error {
  return tooLarge("EntityTooLarge", sizeBytes, bytesMax, "The file is larger than the form may upload.");
}
