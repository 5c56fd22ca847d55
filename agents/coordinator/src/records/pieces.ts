/**
 * Bodies too large for one upload, split into pieces of equal size under a common id. The object, or the part of a
 * multipart upload, is then a list of such bodies. Pieces that are in no list are collected (src/space).
 */
import { randomBytes } from "node:crypto";
import type { VaultVerbs } from "../vault/verbs.ts";

export const PIECES = ".pieces";
/** Metadata of a piece: the object, and the part of a multipart upload if any, for which it is stored. */
export const OWNER = ":owner";

/** A body in pieces; all but the last have a size of `pieceBytes`. */
export interface PieceList {
  readonly id: string;
  readonly sizeBytes: number;
  readonly pieceBytes: number;
  /** Authenticates the size of an encrypted body. */
  readonly mac?: string;
}

/** From `start` up to, excluding, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Owner {
  readonly bucket: string;
  readonly key: string;
  readonly uploadId?: string;
  readonly partNumber?: number;
}

/** Decrypts the pieces of bodies. */
export interface PieceSeals {
  ofList(list: PieceList): {
    open(piece: number, parts: readonly Uint8Array[], range: ByteRange): Generator<Uint8Array>;
  };
}

const ALWAYS = { type: "none" } as const;

const INDEX_DIGITS = 8;

export function pieceKey(id: string, index: number): string {
  return `${id}/${String(index).padStart(INDEX_DIGITS, "0")}`;
}

export function newPieceId(): string {
  return randomBytes(16).toString("hex");
}

/** Stores one piece, which is durable on its pods when this resolves. */
export async function putPiece(
  vault: VaultVerbs,
  id: string,
  index: number,
  bytes: Uint8Array,
  { owner, requestId }: { readonly owner: Owner; readonly requestId: string },
): Promise<void> {
  const metadata = { [OWNER]: JSON.stringify(owner) };
  const piece = { bucket: PIECES, key: pieceKey(id, index), bytes, etag: "", contentType: "", metadata };
  // Earlier pieces are already stored, so this one is not shed for waiting.
  await vault.put(piece, ALWAYS, { requestId, isPatient: true });
}

/** Cuts a stream into pieces of equal size; the last may be shorter, and an empty stream has none. */
export async function* cut(
  chunks: AsyncIterable<Uint8Array>,
  pieceBytes: number,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    while (length + rest.length >= pieceBytes) {
      const head = rest.subarray(0, pieceBytes - length);
      rest = rest.subarray(head.length);
      yield Buffer.concat([...parts, head], pieceBytes);
      parts = [];
      length = 0;
    }
    if (rest.length === 0) continue;
    parts.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(parts, length);
}

/** Reads the bytes within the range of several concatenated bodies. */
export async function* readPieces(
  vault: VaultVerbs,
  lists: readonly PieceList[],
  { start, end }: ByteRange,
  seal: PieceSeals | null,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const list of lists) {
    const { id, sizeBytes, pieceBytes } = list;
    const sealed = seal?.ofList(list);
    const from = Math.max(start - offset, 0);
    const until = Math.min(end - offset, sizeBytes);
    offset += sizeBytes;
    for (let index = Math.floor(from / pieceBytes); index * pieceBytes < until; index += 1) {
      const piece = await vault.get(PIECES, pieceKey(id, index));
      if (piece === null) throw new Error(`Piece ${index} of ${id} is gone.`);
      const base = index * pieceBytes;
      const range = { start: Math.max(from - base, 0), end: until - base };
      yield* sealed?.open(index, piece.parts, range) ?? partsWithin(piece.parts, range);
    }
  }
}

/** Yields the parts of a body that overlap the range. */
export function* partsWithin(parts: readonly Uint8Array[], { start, end }: ByteRange): Generator<Uint8Array> {
  let offset = 0;
  for (const part of parts) {
    const [from, until] = [Math.max(start - offset, 0), Math.min(end - offset, part.length)];
    if (from < until) yield part.subarray(from, until);
    offset += part.length;
  }
}
