/**
 * Pods of one process hold shards of the same uploads. What an upload's records say alike is kept once: a vault on one
 * machine would else have twenty copies of every key in its memory, and read each of them twenty times.
 */
import type { RecoveredRecord } from "@stashlight/shard-log";
import type { UploadHeader } from "@stashlight/write-path";

interface Known {
  readonly upload: UploadHeader;
  /** The key of the record that said so first. */
  readonly key: string;
}

/** Uploads of a generation; two of them are remembered. */
const GENERATION_COUNT_MAX = 131_072;

export class SharedHeaders {
  /** By what a record's hash says. */
  #young = new Map<number, Known>();
  #old = new Map<number, Known>();

  /** The upload of a record; `decode` is asked when no other record has said the very same. */
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
