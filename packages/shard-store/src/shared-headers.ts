/**
 * Pods of one process hold shards of the same uploads. What an upload's records say alike is kept once: a vault on one
 * machine would else have twenty copies of every key in its memory, and read each of them twenty times.
 */
import { crc32c } from "@stashlight/checksum";
import type { RecordHeader } from "@stashlight/shard-log";
import type { UploadHeader } from "@stashlight/write-path";

interface Known {
  readonly upload: UploadHeader;
  readonly check: number;
}

/** Uploads of a generation; two of them are remembered. */
const GENERATION_COUNT_MAX = 131_072;

export class SharedHeaders {
  #young = new Map<string, Known>();
  #old = new Map<string, Known>();

  /** The upload of a record with this key; `decode` is asked when no other record has said the very same. */
  uploadOf(key: string, record: RecordHeader, decode: (record: RecordHeader) => UploadHeader): UploadHeader {
    const id = key.slice(0, -1);
    const check = crc32c(record.meta, crc32c(record.versionOrder));
    const known = this.#young.get(id) ?? this.#old.get(id);
    if (known !== undefined && known.check === check && isAlike(known.upload, record)) return known.upload;
    const upload = decode(record);
    if (this.#young.size >= GENERATION_COUNT_MAX) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id, { upload, check });
    return upload;
  }
}

function isAlike(
  { kind, scheme, epoch }: UploadHeader,
  { type, k, m, placementEpoch }: RecordHeader,
): boolean {
  return (
    (kind === "tombstone") === (type === "tombstone") &&
    scheme.dataShardCount === k &&
    scheme.parityShardCount === m &&
    epoch === placementEpoch
  );
}
