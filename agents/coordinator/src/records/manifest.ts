/**
 * A stored list of pieces, which is the body of an object in pieces. For an encrypted object it begins with a line that
 * coordinators of earlier versions cannot parse, so they neither send its pieces nor treat them as garbage.
 */
import type { UploadHeader } from "@stashlight/write-path";
import { isInPieces } from "./encryption-record.ts";
import type { PieceList } from "./pieces.ts";

export interface Manifest {
  readonly pieces: readonly PieceList[];
  /** Checksums of a multipart upload's parts in base64, if the object has a checksum. */
  readonly partChecksums?: readonly string[];
}

const ENCRYPTED = "encrypted\n";

export function packManifest(
  manifest: Manifest,
  { isEncrypted }: { readonly isEncrypted: boolean },
): Uint8Array {
  return Buffer.from(`${isEncrypted ? ENCRYPTED : ""}${JSON.stringify(manifest)}`);
}

/** Returns null for an object that is a single upload. */
export function manifestOf({
  upload,
  parts,
}: {
  readonly upload: Pick<UploadHeader, "userMetadata">;
  readonly parts: readonly Uint8Array[];
}): Manifest | null {
  if (!isInPieces(upload)) return null;
  const text = Buffer.concat(parts).toString();
  return JSON.parse(text.startsWith(ENCRYPTED) ? text.slice(ENCRYPTED.length) : text) as Manifest;
}
