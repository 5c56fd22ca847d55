/** Conditions on reads, decided here, and on writes, decided by the store when it writes. */
import { S3Error } from "../errors.ts";
import type { RequestHeaders } from "../request/headers.ts";
import type { ObjectInfo, WritePrecondition } from "../store.ts";
import { unquoteEtag } from "./call.ts";

/**
 * Checks conditions in the order of RFC 9110, as S3 does: an If-Match that holds overrides If-Unmodified-Since, an
 * If-None-Match overrides If-Modified-Since. `prefix` is "x-amz-copy-source-" for the source of a copy.
 */
export function checkReadConditions(
  headers: RequestHeaders,
  { etag, modifiedMs }: Pick<ObjectInfo, "etag" | "modifiedMs">,
  prefix = "",
): "send" | "not modified" {
  const ifMatch = headers.get(`${prefix}if-match`);
  const ifNoneMatch = headers.get(`${prefix}if-none-match`);
  const unmodifiedSinceMs = parseTime(headers.get(`${prefix}if-unmodified-since`));
  const modifiedSinceMs = parseTime(headers.get(`${prefix}if-modified-since`));
  const modifiedWholeMs = Math.floor(modifiedMs / 1000) * 1000;
  if (ifMatch !== undefined) {
    if (!isListed(ifMatch, etag)) throw failed("If-Match");
  } else if (unmodifiedSinceMs !== null && modifiedWholeMs > unmodifiedSinceMs) {
    throw failed("If-Unmodified-Since");
  }
  if (ifNoneMatch !== undefined) return isListed(ifNoneMatch, etag) ? "not modified" : "send";
  return modifiedSinceMs !== null && modifiedWholeMs <= modifiedSinceMs ? "not modified" : "send";
}

/** True if the Range header applies: If-Range is absent or names the object's current version. */
export function isRangeCurrent(
  headers: RequestHeaders,
  info: Pick<ObjectInfo, "etag" | "modifiedMs">,
): boolean {
  const ifRange = headers.get("if-range");
  if (ifRange === undefined) return true;
  if (ifRange.trim().startsWith('"')) return unquoteEtag(ifRange) === info.etag;
  return parseTime(ifRange) === Math.floor(info.modifiedMs / 1000) * 1000;
}

export function readWritePrecondition(headers: RequestHeaders): WritePrecondition {
  for (const name of ["if-modified-since", "if-unmodified-since"]) {
    if (headers.get(name) !== undefined) {
      throw new S3Error("NotImplemented", `The condition ${name} is not implemented for writes.`);
    }
  }
  const ifMatch = headers.get("if-match");
  const ifNoneMatch = headers.get("if-none-match");
  if (ifMatch !== undefined && ifNoneMatch !== undefined) {
    throw new S3Error("InvalidRequest", "A write may have If-Match or If-None-Match, not both.");
  }
  if (ifNoneMatch !== undefined) {
    const etags = listedEtags(ifNoneMatch);
    return etags.includes("*") ? { kind: "absent" } : { kind: "differs", etags };
  }
  return ifMatch === undefined ? { kind: "none" } : matches(ifMatch);
}

function matches(ifMatch: string): WritePrecondition {
  const etag = unquoteEtag(ifMatch);
  return { kind: "matches", etag: etag === "*" ? null : etag };
}

function isListed(list: string, etag: string): boolean {
  return listedEtags(list).some((listed) => listed === "*" || listed === etag);
}

function listedEtags(list: string): readonly string[] {
  return list.split(",").map((entry) => unquoteEtag(entry.trim().replace(/^W\//, "")));
}

/** Returns null for a missing or malformed date; RFC 9110 ignores such conditions. */
function parseTime(text: string | undefined): number | null {
  const timeMs = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(timeMs) ? null : timeMs;
}

function failed(condition: string): S3Error {
  return new S3Error("PreconditionFailed", undefined, { details: { Condition: condition } });
}
