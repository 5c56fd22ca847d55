/** Stores a large body as pieces, to which nothing refers yet. */
import type { BodyDigests, UploadBody } from "@stashlight/s3";
import { cut, type Owner, type PieceList, putPiece } from "../records/pieces.ts";
import type { BeginBody } from "../space/writing.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

/** Resolves when the body is stored and verified. */
export async function storeBody(
  vault: VaultVerbs,
  beginBody: BeginBody,
  body: UploadBody,
  pieceBytes: number,
  of: { readonly owner: Owner; readonly requestId: string },
): Promise<{ readonly list: PieceList; readonly digests: BodyDigests }> {
  const written = beginBody(of.owner, pieceBytes);
  const chunks = body.kind === "whole" ? once(body.bytes) : body.chunks;
  let index = 0;
  for await (const piece of cut(chunks, pieceBytes)) {
    written.grow(piece.length);
    await putPiece(vault, written.list.id, index, piece, of);
    written.touch();
    index += 1;
  }
  const digests = body.kind === "whole" ? body.digests : await body.verify();
  return { list: written.list, digests };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
