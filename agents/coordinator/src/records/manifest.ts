/** A stored list of pieces, which is the body of an object in pieces. */
import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import type { UploadHeader } from "@stashlight/write-path";
import type { PieceList } from "./pieces.ts";

export interface Manifest {
  readonly pieces: readonly PieceList[];
}

export function packManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(JSON.stringify(manifest));
}

/** Null for an object that consists of one upload. */
export function manifestOf({
  upload,
  parts,
}: {
  readonly upload: Pick<UploadHeader, "userMetadata">;
  readonly parts: readonly Uint8Array[];
}): Manifest | null {
  if (upload.userMetadata[LARGE_SIZE] === undefined) return null;
  return JSON.parse(Buffer.concat(parts).toString()) as Manifest;
}
