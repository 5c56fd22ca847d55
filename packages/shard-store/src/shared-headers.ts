/**
 * Pods of one process hold shards of the same uploads. What an upload's records say alike is kept once: a vault on one
 * machine would else have twenty copies of every key in its memory, and read each of them twenty times.
 */
import type { RecoveredRecord } from "@stashlight/shard-log";
import type { UploadHeader } from "@stashlight/write-path";

interface Known {
  readonly upload: UploadHeader;
  readonly uploadHash: number;
}

/** Uploads of a generation; two of them are remembered. */
const GENERATION_COUNT_MAX = 131_072;

export class SharedHeaders {
  #young = new Map<string, Known>();
  #old = new Map<string, Known>();

  /** The upload of a record; `decode` is asked when no other record has said the very same. */
  uploadOf(record: RecoveredRecord, decode: (record: RecoveredRecord) => UploadHeader): UploadHeader {
    const { uploadHash } = record;
    const id = record.key.slice(0, -1);
    const known = this.#young.get(id) ?? this.#old.get(id);
    if (known?.uploadHash === uploadHash) return known.upload;
    const upload = decode(record);
    if (this.#young.size >= GENERATION_COUNT_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, { upload, uploadHash });
    return upload;
  }
}
