/**
 * Appends the epoch in which a version was written to its ETag: `0cc1...~3`. It shows which of two vaults' versions of
 * a key is newer, and it makes a condition on an ETag hold for that very version. Versions of the first epoch, and so
 * those of a single vault, have none.
 */
import { randomBytes } from "node:crypto";
import { parseStoredEtag, storedEtag } from "@stashlight/node-runtime/objects";
import type { Condition, UploadHeader } from "@stashlight/write-path";
import type { NewObject } from "../vault/objects.ts";

const GONE = ":gone";
const NOTHING = new Uint8Array(0);

export function epochOf({ etag }: Pick<UploadHeader, "etag">): number {
  return parseStoredEtag(etag).epoch;
}

/** Returns the header as clients see it. */
export function withPlainEtag<Header extends UploadHeader>(header: Header): Header {
  const { etag, epoch } = parseStoredEtag(header.etag);
  return epoch === 1 ? header : { ...header, etag };
}

export function ofEpoch(object: NewObject, epoch: number): NewObject {
  return { ...object, etag: storedEtag(object.etag, epoch) };
}

/**
 * A record that marks the key as empty. It hides versions in other vaults until those are deleted; a vault's own
 * tombstone would not, because vaults forget tombstones.
 */
export function goneMarker(bucket: string, key: string, epoch: number): NewObject {
  const etag = storedEtag(`gone-${randomBytes(16).toString("hex")}`, epoch);
  return { bucket, key, bytes: NOTHING, etag, contentType: "", metadata: { [GONE]: "" } };
}

export function isGone({ userMetadata }: Pick<UploadHeader, "userMetadata">): boolean {
  return userMetadata[GONE] !== undefined;
}

/** Requires that the vault holds this version, or none. */
export function conditionOn(held: UploadHeader | null): Condition {
  return held === null ? { type: "absent" } : { type: "etag", etag: held.etag };
}
