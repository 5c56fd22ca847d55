import type { ObjectName } from "../settled-entries.ts";

const SLASH = 0x2f;

/** An object's name, "bucket/key" in UTF-8. A bucket's name has no slash. */
export class NameBuffer {
  bytes = Buffer.alloc(1152);
  length = 0;

  get view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  set({ bucket, key }: ObjectName): void {
    const name = `${bucket}/${key}`;
    this.#reserve(3 * name.length);
    this.length = this.bytes.write(name);
  }

  /** Replaces everything after the first `at` bytes. */
  replaceFrom(at: number, bytes: Buffer, start: number, end: number): void {
    this.#reserve(at + end - start);
    this.length = at + bytes.copy(this.bytes, at, start, end);
  }

  /** Length in bytes of the common beginning of both names. */
  sharedLength(other: NameBuffer): number {
    const most = Math.min(this.length, other.length);
    let shared = 0;
    while (shared < most && this.bytes[shared] === other.bytes[shared]) shared += 1;
    return shared;
  }

  equals(other: NameBuffer): boolean {
    return this.length === other.length && this.sharedLength(other) === this.length;
  }

  beginsWith(prefix: Buffer): boolean {
    return (
      this.length >= prefix.length && this.bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
    );
  }

  parse(): ObjectName {
    const slash = this.bytes.indexOf(SLASH);
    return {
      bucket: this.bytes.toString("utf8", 0, slash),
      key: this.bytes.toString("utf8", slash + 1, this.length),
    };
  }

  #reserve(byteCount: number): void {
    if (this.bytes.length >= byteCount) return;
    const larger = Buffer.alloc(2 * byteCount);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
