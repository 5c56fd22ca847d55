/** Stores a large body as pieces, to which nothing refers yet. */
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
  /** The most bytes that the vault is given at a time. */
  readonly pieceBytes: number;
  /** Null for a body that is stored as it is sent. */
  readonly seal: ObjectSeal | null;
}

/** Bytes of a body in one piece, which take at most `pieceBytes` when they are stored. */
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
