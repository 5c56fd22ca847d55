/** The Range header, and x-amz-copy-source-range. */
import { S3Error } from "../errors.ts";

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Returns null for the whole object: without a range, or with a malformed one or several, which S3 ignores too. */
export function resolveRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  // Numbers beyond any size are clamped: some clients send 2^63 - 1 as the last byte.
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (match === null) return null;
  const [, first, last] = match as unknown as readonly [string, string, string];
  if (first === "" && last === "") return null;
  if (first === "") {
    const suffixBytes = Number(last);
    if (suffixBytes === 0) throw outside(header, sizeBytes);
    // Any suffix of an empty object is the whole of it.
    if (sizeBytes === 0) return null;
    return { start: Math.max(0, sizeBytes - suffixBytes), end: sizeBytes };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= sizeBytes) throw outside(header, sizeBytes);
  return { start, end: last === "" ? sizeBytes : Math.min(sizeBytes, Number(last) + 1) };
}

/** A range to copy must name both ends, and be within the source. */
export function resolveCopyRange(header: string | undefined, sizeBytes: number): ByteRange {
  if (header === undefined) return { start: 0, end: sizeBytes };
  const match = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header.trim());
  const start = Number(match?.[1]);
  const end = Number(match?.[2]) + 1;
  if (match === null || end <= start) {
    throw new S3Error("InvalidArgument", "x-amz-copy-source-range must be of the form bytes=FIRST-LAST.");
  }
  if (end > sizeBytes) {
    throw new S3Error("InvalidRange", `The range is outside the source, which has ${sizeBytes} bytes.`, {
      details: { RangeRequested: header, ActualObjectSize: String(sizeBytes) },
    });
  }
  return { start, end };
}

/**
 * The byte range of one part of an object. Parts are numbered from 1 in the order in which they make up the object,
 * regardless of their upload numbers. Null for an empty part, which no Content-Range can describe.
 */
export function resolvePart(partNumber: number, partSizesBytes: readonly number[]): ByteRange | null {
  const sizeBytes = partSizesBytes[partNumber - 1];
  if (sizeBytes === undefined) {
    throw new S3Error("InvalidPartNumber", undefined, {
      details: { PartNumberRequested: String(partNumber), ActualPartCount: String(partSizesBytes.length) },
    });
  }
  if (sizeBytes === 0) return null;
  const start = partSizesBytes.slice(0, partNumber - 1).reduce((sum, bytes) => sum + bytes, 0);
  return { start, end: start + sizeBytes };
}

function outside(header: string | undefined, sizeBytes: number): S3Error {
  return new S3Error("InvalidRange", undefined, {
    details: { RangeRequested: header ?? "", ActualObjectSize: String(sizeBytes) },
    headers: { "content-range": `bytes */${sizeBytes}` },
  });
}
