/** Encrypts and decrypts one version of an object, or one multipart upload, with keys from one source. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { LARGE_SIZE } from "@stashlight/node-runtime/objects";
import { type AppliedEncryption, S3Error } from "@stashlight/s3";
import {
  type EncryptionRecord,
  packEncryption,
  packSealed,
  unpackSealed,
} from "../records/encryption-record.ts";
import { HEADER } from "../records/metadata-names.ts";
import type { PieceList } from "../records/pieces.ts";
import {
  deriveBodyKey,
  deriveEtag,
  deriveMetadataKey,
  deriveSizeMac,
  type KeySource,
} from "./object-keys.ts";
import { openPiece, type PlainRange, SealError, sealPiece } from "./sealed-blocks.ts";

type Metadata = Readonly<Record<string, string>>;

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class ObjectSeal {
  readonly #source: KeySource;
  readonly #record: EncryptionRecord;
  /** Encryption that responses to clients confirm. */
  readonly applied: AppliedEncryption;

  constructor(source: KeySource, record: EncryptionRecord, applied: AppliedEncryption) {
    this.#source = source;
    this.#record = record;
    this.applied = applied;
  }

  /** Metadata needed to decrypt the object; the size is that of the client's bytes. */
  pack(layout: EncryptionRecord["layout"], sizeBytes: number | null): Metadata {
    const size: Metadata = sizeBytes === null ? {} : { [LARGE_SIZE]: String(sizeBytes) };
    return { ...packEncryption({ ...this.#record, layout }), ...size };
  }

  sealWhole(bytes: Uint8Array): Buffer {
    return sealPiece({ key: deriveBodyKey(this.#source), piece: 0 }, bytes);
  }

  openWhole(parts: readonly Uint8Array[], plainBytes: number, range: PlainRange): Generator<Uint8Array> {
    const place = { key: deriveBodyKey(this.#source), piece: 0 };
    return readable(openPiece(place, { parts, plainBytes }, range));
  }

  /** Seals the pieces of a new list under a separate key. */
  newList(id: string): NewListSeal {
    const key = deriveBodyKey(this.#source, id);
    return {
      seal: (piece, bytes) => sealPiece({ key, piece }, bytes),
      close: (list) => ({ ...list, mac: deriveSizeMac(this.#source, list) }),
    };
  }

  /** Throws an S3Error if the size of the list has changed since it was stored. */
  ofList(list: PieceList): ListSeal {
    const { id, sizeBytes, pieceBytes, mac } = list;
    if (mac !== deriveSizeMac(this.#source, list)) throw broken(new SealError(`The list ${id} was changed.`));
    const key = deriveBodyKey(this.#source, id);
    return {
      open: (piece, parts, range) => {
        const plainBytes = Math.min(pieceBytes, sizeBytes - piece * pieceBytes);
        return readable(openPiece({ key, piece }, { parts, plainBytes }, range));
      },
    };
  }

  /** Returns null if the ETag is the MD5 of the body. */
  etag(md5: string, part = ""): string | null {
    return this.applied.kind === "customer" ? deriveEtag(this.#source, md5, part) : null;
  }

  /** Encrypts metadata that the client chose; the rest is unchanged. */
  sealMetadata(metadata: Metadata): Metadata {
    const entries = Object.entries(metadata);
    const secret = entries.filter(([name]) => isOfClient(name));
    if (secret.length === 0) return metadata;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, deriveMetadataKey(this.#source), nonce);
    const text = [nonce, cipher.update(JSON.stringify(secret), "utf8"), cipher.final(), cipher.getAuthTag()];
    const open = entries.filter(([name]) => !isOfClient(name));
    return { ...Object.fromEntries(open), ...packSealed(Buffer.concat(text).toString("base64url")) };
  }

  /** Restores the encrypted metadata. Throws an S3Error. */
  openMetadata(metadata: Metadata): Metadata {
    const sealed = unpackSealed(metadata);
    if (sealed === null) return metadata;
    const bytes = Buffer.from(sealed, "base64url");
    const key = deriveMetadataKey(this.#source);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    try {
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text =
        decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      return Object.assign(Object.create(null), metadata, Object.fromEntries(JSON.parse(text)));
    } catch (error) {
      throw broken(error);
    }
  }
}

export interface NewListSeal {
  seal(piece: number, bytes: Uint8Array): Buffer;
  /** Returns the list with a MAC of its size, which is known once the whole body has arrived. */
  close(list: PieceList): PieceList;
}

export interface ListSeal {
  open(piece: number, parts: readonly Uint8Array[], range: PlainRange): Generator<Uint8Array>;
}

/** True for user metadata, whose names do not begin with a colon. */
function isOfClient(name: string): boolean {
  return !name.startsWith(":") || name.startsWith(HEADER);
}

function* readable(plain: Generator<Uint8Array>): Generator<Uint8Array> {
  try {
    yield* plain;
  } catch (error) {
    throw error instanceof SealError ? broken(error) : error;
  }
}

function broken(cause: unknown): S3Error {
  return new S3Error(
    "ObjectUnreadable",
    "What is stored of the object was changed after it was encrypted, or is encrypted by another key.",
    { cause },
  );
}
