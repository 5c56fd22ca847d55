/** Stores a large body as pieces, which are not referenced yet. */
import assert from "node:assert/strict";
import type { BodyDigests, UploadBody } from "@stashlight/s3";
import type { ObjectSeal } from "../encryption/object-seal.ts";
import { plainSizeWithin } from "../encryption/sealed-blocks.ts";
import { cut, type Owner, type PieceList, putPiece } from "../records/pieces.ts";
import type { BeginBody } from "../space/writing.ts";
import type { VaultVerbs } from "../vault/verbs.ts";

export interface BodyOptions {
  readonly owner: Owner;
  readonly requestId: string;
  /** Limit on bytes passed to the vault at a time. */
  readonly pieceBytes: number;
  /** Null for a body that is stored unencrypted. */
  readonly seal: ObjectSeal | null;
}

/** Plain bytes per piece, whose stored form takes at most `pieceBytes`. */
export function plainPieceBytes({ pieceBytes, seal }: Pick<BodyOptions, "pieceBytes" | "seal">): number {
  const plainBytes = seal === null ? pieceBytes : plainSizeWithin(pieceBytes);
  assert(plainBytes > 0, "a piece has room for more than a tag");
  return plainBytes;
}

/** Resolves when the body is stored and verified. */
export async function storeBody(
  vault: VaultVerbs,
  beginBody: BeginBody,
  body: UploadBody,
  options: BodyOptions,
): Promise<{ readonly list: PieceList; readonly digests: BodyDigests }> {
  const pieceBytes = plainPieceBytes(options);
  const written = beginBody(options.owner, pieceBytes);
  const sealed = options.seal?.newList(written.list.id);
  const chunks = body.kind === "whole" ? once(body.bytes) : body.chunks;
  let index = 0;
  for await (const piece of cut(chunks, pieceBytes)) {
    written.grow(piece.length);
    await putPiece(vault, written.list.id, index, sealed?.seal(index, piece) ?? piece, options);
    written.touch();
    index += 1;
  }
  const digests = body.kind === "whole" ? body.digests : await body.verify();
  return { list: sealed?.close(written.list) ?? written.list, digests };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
