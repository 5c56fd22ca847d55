/**
 * Key of a record in a log: upload id and shard index as nine UTF-16 units, which are small to store and quick to hash
 * and create.
 */

export interface RecordId {
  readonly uploadId: Uint8Array;
  readonly shardIndex: number;
}

/** Packs the key of a record; the upload id begins at `at`. */
export function packRecordKey(id: Uint8Array, shardIndex: number, at = 0): string {
  const unit = (offset: number): number =>
    ((id[at + offset] as number) << 8) | (id[at + offset + 1] as number);
  return String.fromCharCode(
    unit(0),
    unit(2),
    unit(4),
    unit(6),
    unit(8),
    unit(10),
    unit(12),
    unit(14),
    shardIndex,
  );
}

/** Packs the key for an upload id in lower-case hexadecimal digits. */
export function keyOfHex(id: string, shardIndex: number): string {
  const unit = (at: number): number =>
    (parseHexDigit(id.charCodeAt(at)) << 12) |
    (parseHexDigit(id.charCodeAt(at + 1)) << 8) |
    (parseHexDigit(id.charCodeAt(at + 2)) << 4) |
    parseHexDigit(id.charCodeAt(at + 3));
  return String.fromCharCode(
    unit(0),
    unit(4),
    unit(8),
    unit(12),
    unit(16),
    unit(20),
    unit(24),
    unit(28),
    shardIndex,
  );
}

const parseHexDigit = (code: number): number => (code < 58 ? code - 48 : code - 87);

/** Number of words of a key: four of the upload id, and the shard index. */
export const KEY_WORDS = 5;

/** Returns one of the words of a key. */
export function recordKeyWord(key: string, word: number): number {
  if (word === KEY_WORDS - 1) return key.charCodeAt(2 * word);
  return ((key.charCodeAt(2 * word) << 16) | key.charCodeAt(2 * word + 1)) >>> 0;
}

/** Returns the key whose words begin at `at`. */
export function keyOfWords(words: Uint32Array, at: number): string {
  const high = (word: number): number => (words[at + word] as number) >>> 16;
  const low = (word: number): number => (words[at + word] as number) & 0xffff;
  return String.fromCharCode(high(0), low(0), high(1), low(1), high(2), low(2), high(3), low(3), low(4));
}

/** Applies the last step of MurmurHash3 to each word: upload ids begin with their time, and tests count them. */
export function hashKey(words: Uint32Array): number {
  let hash = 0;
  for (let at = 0; at < KEY_WORDS; at++) {
    hash = Math.imul(hash ^ (words[at] as number), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

export const keyOfHeader = (header: RecordId): string => packRecordKey(header.uploadId, header.shardIndex);

export function idOfKey(key: string): RecordId {
  const uploadId = new Uint8Array(16);
  for (let at = 0; at < 8; at++) {
    const unit = key.charCodeAt(at);
    uploadId[2 * at] = unit >> 8;
    uploadId[2 * at + 1] = unit & 0xff;
  }
  return { uploadId, shardIndex: key.charCodeAt(8) };
}
