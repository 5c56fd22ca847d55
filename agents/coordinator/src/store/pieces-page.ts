/** `/pieces?bucket=B&key=K`: the pieces of an object, for clients that check the durability of the whole object. */
import { AdminError } from "@stashlight/node-runtime";
import type { PiecesPage } from "@stashlight/node-runtime/durability";
import { isInPieces } from "../records/encryption-record.ts";
import { manifestOf } from "../records/manifest.ts";
import { PIECES, type PieceList, pieceKey } from "../records/pieces.ts";
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";

export async function piecesPage(
  vault: Pick<Vault, "head" | "get">,
  query: URLSearchParams,
): Promise<PiecesPage> {
  const [bucket, key] = [query.get("bucket"), query.get("key")];
  if (bucket === null || key === null) throw new AdminError(400, "Use /pieces?bucket=B&key=K.");
  try {
    return await piecesOf(vault, bucket, key);
  } catch (error) {
    if (error instanceof VaultError) throw new AdminError(503, error.message);
    throw error;
  }
}

/** Rejects with a VaultError. */
export async function piecesOf(
  vault: Pick<Vault, "head" | "get">,
  bucket: string,
  key: string,
): Promise<PiecesPage> {
  const upload = await vault.head(bucket, key);
  if (upload === null || !isInPieces(upload)) return { etag: upload?.etag ?? null, bucket: PIECES, keys: [] };
  // The list is the body, which the header does not carry; a newer version may have been written meanwhile.
  const found = await vault.get(bucket, key);
  const pieces = (found && manifestOf(found)?.pieces) ?? [];
  return { etag: found?.upload.etag ?? null, bucket: PIECES, keys: pieces.flatMap(keysOf) };
}

function keysOf({ id, sizeBytes, pieceBytes }: PieceList): string[] {
  return Array.from({ length: Math.ceil(sizeBytes / pieceBytes) }, (_, index) => pieceKey(id, index));
}
