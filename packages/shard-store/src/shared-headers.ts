/**
 * Shares the common fields of an upload's records between the pods of one process. Otherwise a vault on one machine
 * would have twenty copies of every key in memory, and decode each of them twenty times.
 */
import type { RecoveredRecord } from "@stashlight/shard-log";
import type { UploadHeader } from "@stashlight/write-path";

interface Known {
  readonly upload: UploadHeader;
  /** Key of the first record with this header. */
  readonly key: string;
}

/** Uploads per generation; two generations are kept. */
const GENERATION_COUNT_MAX = 131_072;

export class SharedHeaders {
  /** Keyed by the hash of a record's shared fields. */
  #young = new Map<number, Known>();
  #old = new Map<number, Known>();

  forget(): void {
    this.#young = new Map();
    this.#old = new Map();
  }

  /** Returns the upload of a record; calls `decode` only if no earlier record had exactly the same fields. */
  uploadOf(record: RecoveredRecord, decode: (record: RecoveredRecord) => UploadHeader): UploadHeader {
    const { uploadHash } = record;
    const known = this.#young.get(uploadHash) ?? this.#old.get(uploadHash);
    if (known !== undefined && record.isOfUploadOf(known.key)) return known.upload;
    const upload = decode(record);
    if (this.#young.size >= GENERATION_COUNT_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(uploadHash, { upload, key: record.key });
    return upload;
  }
}
