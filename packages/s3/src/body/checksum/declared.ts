/** Reads which checksum a request announces for its body: in a header, in a trailer, or none. */

import {
  CHECKSUM_ALGORITHMS,
  type ChecksumAlgorithm,
  type ChecksumType,
  checksumAlgorithms,
  checksumHeader,
  isChecksumValue,
  type ObjectChecksum,
  parseAlgorithm,
} from "../../checksum/algorithms.ts";
import { S3Error } from "../../errors.ts";
import type { RequestHeaders } from "../../request/headers.ts";
import type { PayloadMode } from "../../signature/payload-mode.ts";

export interface DeclaredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64; null when the checksum follows in the trailer. */
  readonly value: string | null;
}

export interface AnnouncedChecksum {
  readonly algorithm: ChecksumAlgorithm;
  readonly value: string;
}

export function readDeclaredChecksum(headers: RequestHeaders, mode: PayloadMode): DeclaredChecksum | null {
  const inHeader = readHeaderChecksum(headers);
  const inTrailer = readTrailerAlgorithm(headers, mode);
  if (inHeader && inTrailer) {
    throw new S3Error("InvalidRequest", "A body may have one checksum; a header and a trailer announce two.");
  }
  const declared = inHeader ?? (inTrailer ? { algorithm: inTrailer, value: null } : null);
  const named = headers.get("x-amz-sdk-checksum-algorithm");
  if (named !== undefined && declared !== null && parseAlgorithm(named) !== declared.algorithm) {
    throw new S3Error(
      "InvalidRequest",
      "The checksum sent is not of the algorithm that x-amz-sdk-checksum-algorithm names.",
    );
  }
  return declared;
}

/** The one x-amz-checksum-… header, checked for its form. */
function readHeaderChecksum(headers: RequestHeaders): AnnouncedChecksum | null {
  const announced = findHeaderChecksum(headers);
  if (announced !== null && !isChecksumValue(announced.algorithm, announced.value)) throw notValid(announced);
  return announced;
}

/**
 * Reads the checksum that CompleteMultipartUpload declares for the object. A composite one may include the number of
 * parts or not; the result has the form of the object's own checksum.
 */
export function readObjectChecksum(
  headers: RequestHeaders,
  object: ObjectChecksum | null,
): AnnouncedChecksum | null {
  const announced = findHeaderChecksum(headers);
  if (announced === null) return null;
  const [value = "", count] = announced.value.split(/-(?=\d+$)/);
  const isComposite = object?.type === "COMPOSITE";
  if (!isChecksumValue(announced.algorithm, value) || (count !== undefined && !isComposite)) {
    throw notValid(announced);
  }
  const suffix = object?.value.slice(object.value.lastIndexOf("-"));
  return isComposite && count === undefined ? { ...announced, value: value + suffix } : announced;
}

function findHeaderChecksum(headers: RequestHeaders): AnnouncedChecksum | null {
  const given = CHECKSUM_ALGORITHMS.filter(
    (algorithm) => headers.get(checksumHeader(algorithm)) !== undefined,
  );
  if (given.length > 1) throw new S3Error("InvalidRequest", "A request may have one x-amz-checksum- header.");
  const algorithm = given[0];
  return algorithm === undefined
    ? null
    : { algorithm, value: headers.get(checksumHeader(algorithm)) as string };
}

function notValid({ algorithm }: AnnouncedChecksum): S3Error {
  return new S3Error("InvalidRequest", `Value for ${checksumHeader(algorithm)} header is invalid.`);
}

function readTrailerAlgorithm(headers: RequestHeaders, mode: PayloadMode): ChecksumAlgorithm | null {
  const trailer = headers.get("x-amz-trailer");
  const hasTrailer = mode.kind === "chunked" && mode.hasTrailer;
  if (trailer === undefined && !hasTrailer) return null;
  // Unsigned chunks need no x-amz-trailer header; without it, the trailer must be empty.
  if (trailer === undefined && mode.kind === "chunked" && !mode.isSigned) return null;
  if (trailer === undefined || !hasTrailer) {
    throw new S3Error("InvalidRequest", "x-amz-trailer does not match the way the body is sent.");
  }
  const name = trailer.trim().toLowerCase();
  const algorithm = CHECKSUM_ALGORITHMS.find((candidate) => checksumHeader(candidate) === name);
  if (algorithm === undefined) {
    throw new S3Error("InvalidRequest", "x-amz-trailer must name one x-amz-checksum- header.");
  }
  return algorithm;
}

/** Reads the checksum that CreateMultipartUpload requests for the parts and the object. */
export function readMultipartChecksum(
  headers: RequestHeaders,
): { readonly algorithm: ChecksumAlgorithm; readonly type: ChecksumType } | null {
  const name = headers.get("x-amz-checksum-algorithm");
  const type = headers.get("x-amz-checksum-type")?.toUpperCase();
  if (name === undefined) {
    if (type === undefined) return null;
    throw new S3Error("InvalidRequest", "x-amz-checksum-type requires x-amz-checksum-algorithm.");
  }
  const algorithm = parseAlgorithm(name);
  if (algorithm === null) {
    throw new S3Error(
      "InvalidRequest",
      `The checksum algorithm must be one of ${CHECKSUM_ALGORITHMS.join(", ")}.`,
    );
  }
  const { types } = checksumAlgorithms[algorithm];
  const found = type === undefined ? types[0] : types.find((candidate) => candidate === type);
  if (found === undefined) {
    throw new S3Error("InvalidRequest", `The checksum type ${type} cannot be used with ${algorithm}.`);
  }
  return { algorithm, type: found };
}
