/**
 * Encrypts and authenticates bytes block by block with AES-256-GCM, so that a range can be read without the rest.
 *
 *   sealed piece block 0, block 1, ... each at most 65,536 bytes of ciphertext, then its tag of 16 bytes
 *   nonce piece (u32), block within the piece (u32), zero (u32), big-endian
 *   AAD size of the piece in bytes (u64, big-endian)
 *
 * A key seals one body, so no nonce is used twice. A tag is valid for one key, position and piece size: changed, moved,
 * swapped or truncated blocks fail, and so do all blocks of a piece that claims another size. The number of pieces is
 * authenticated by their list (object-seal.ts).
 */
import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";

export const BLOCK_BYTES = 65_536;
export const TAG_BYTES = 16;
const SEALED_BLOCK_BYTES = BLOCK_BYTES + TAG_BYTES;
const ALGORITHM = "aes-256-gcm";

/** One piece of a body; a body that is stored whole is piece 0. */
export interface PiecePlace {
  readonly key: KeyObject;
  readonly piece: number;
}

/** Stored bytes are not those sealed under this key at this position. */
export class SealError extends Error {
  override readonly name = "SealError";
}

export function sealedSize(plainBytes: number): number {
  return plainBytes + Math.ceil(plainBytes / BLOCK_BYTES) * TAG_BYTES;
}

/** Largest plain size whose sealed form takes at most this many bytes. */
export function plainSizeWithin(sealedBytes: number): number {
  const rest = sealedBytes % SEALED_BLOCK_BYTES;
  return Math.floor(sealedBytes / SEALED_BLOCK_BYTES) * BLOCK_BYTES + Math.max(0, rest - TAG_BYTES);
}

/** Returns the sealed piece in separately allocated memory. */
export function sealPiece(place: PiecePlace, plain: Uint8Array): Buffer {
  // Allocated outside the pool, because the buffer lives until all shards are stored.
  const sealed = Buffer.allocUnsafeSlow(sealedSize(plain.length));
  const additional = additionalData(plain.length);
  const nonce = firstNonce(place);
  for (let block = 0, at = 0, end = 0; at < plain.length; block += 1, at += BLOCK_BYTES) {
    nonce.writeUInt32BE(block, 4);
    const cipher = createCipheriv(ALGORITHM, place.key, nonce);
    cipher.setAAD(additional);
    const ciphertext = cipher.update(plain.subarray(at, at + BLOCK_BYTES));
    sealed.set(ciphertext, end);
    cipher.final();
    sealed.set(cipher.getAuthTag(), end + ciphertext.length);
    end += ciphertext.length + TAG_BYTES;
    freeNow(ciphertext);
  }
  return sealed;
}

/**
 * Frees memory with no other references. The collector would free it later, so each block would allocate fresh memory
 * and collections would come sooner, which is half of the cost of sealing 256 KiB.
 */
function freeNow({ buffer, length }: Buffer): void {
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === length;
  if (isAlone) buffer.transfer(0);
}

/** From `start` up to and excluding `end`. */
export interface PlainRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the plain bytes of a range of a sealed piece, which is given as consecutive chunks. Decrypts only the blocks
 * that overlap the range, and releases no byte of a block before its tag has been checked. Throws a SealError.
 */
export function* openPiece(
  place: PiecePlace,
  sealed: { readonly parts: readonly Uint8Array[]; readonly plainBytes: number },
  { start, end }: PlainRange,
): Generator<Uint8Array> {
  const storedBytes = sealed.parts.reduce((sum, { length }) => sum + length, 0);
  if (storedBytes !== sealedSize(sealed.plainBytes)) {
    throw new SealError(`${storedBytes} bytes are stored for a piece of ${sealed.plainBytes}.`);
  }
  const last = Math.min(end, sealed.plainBytes);
  for (let block = Math.floor(start / BLOCK_BYTES); block * BLOCK_BYTES < last; block += 1) {
    const base = block * BLOCK_BYTES;
    const plainBytes = Math.min(BLOCK_BYTES, sealed.plainBytes - base);
    const stretches = stretchesWithin(sealed.parts, block * SEALED_BLOCK_BYTES, plainBytes);
    const opened = openBlock({ ...place, block, pieceBytes: sealed.plainBytes }, stretches);
    let offset = base;
    for (const part of opened) {
      const [from, until] = [Math.max(start - offset, 0), Math.min(last - offset, part.length)];
      if (from < until) yield part.subarray(from, until);
      offset += part.length;
    }
  }
}

interface SealedBlock {
  readonly ciphertext: readonly Uint8Array[];
  readonly tag: Uint8Array;
}

interface BlockPlace extends PiecePlace {
  readonly block: number;
  readonly pieceBytes: number;
}

function openBlock(place: BlockPlace, { ciphertext, tag }: SealedBlock): Uint8Array[] {
  const { block, pieceBytes } = place;
  const nonce = firstNonce(place);
  nonce.writeUInt32BE(block, 4);
  const decipher = createDecipheriv(ALGORITHM, place.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(pieceBytes));
  decipher.setAuthTag(tag);
  const plain = ciphertext.map((part) => decipher.update(part));
  try {
    decipher.final();
  } catch (error) {
    throw new SealError(`Block ${block} of piece ${place.piece} does not match its tag.`, { cause: error });
  }
  return plain;
}

function stretchesWithin(parts: readonly Uint8Array[], at: number, plainBytes: number): SealedBlock {
  const ciphertext = [...within(parts, at, at + plainBytes)];
  const tagAt = at + plainBytes;
  return { ciphertext, tag: Buffer.concat([...within(parts, tagAt, tagAt + TAG_BYTES)], TAG_BYTES) };
}

function* within(parts: readonly Uint8Array[], start: number, end: number): Generator<Uint8Array> {
  let offset = 0;
  for (const part of parts) {
    if (offset >= end) return;
    const [from, until] = [Math.max(start - offset, 0), Math.min(end - offset, part.length)];
    if (from < until) yield part.subarray(from, until);
    offset += part.length;
  }
}

function firstNonce({ piece }: PiecePlace): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(piece, 0);
  return nonce;
}

function additionalData(pieceBytes: number): Buffer {
  const additional = Buffer.alloc(8);
  additional.writeBigUInt64BE(BigInt(pieceBytes));
  return additional;
}
