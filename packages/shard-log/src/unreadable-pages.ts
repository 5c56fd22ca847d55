/** Pages that the device could not read while a log was being opened: no answer, which is neither rot nor an empty page. */
import type { DiskError, DiskFile } from "./disk.ts";
import { LogError } from "./errors.ts";

export class UnreadablePages {
  readonly #countMax: number;
  readonly #files = new Map<DiskFile, number>();
  #count = 0;
  #cause: DiskError | null = null;

  /** `countMax`: unreadable pages that opening may leave out (LogOptions.unreadablePagesMax). */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  note(file: DiskFile, offset: number, cause: DiskError): void {
    this.#count++;
    this.#cause ??= cause;
    if (!this.#files.has(file)) this.#files.set(file, offset);
  }

  /** Offset of the first unreadable page of the file, or null if all of it that was read could be read. */
  firstOffset(file: DiskFile): number | null {
    return this.#files.get(file) ?? null;
  }

  get count(): number {
    return this.#count;
  }

  /** Why opening must fail, or null. A page taken for empty could be a segment in use, which would be overwritten. */
  refusal(): LogError | null {
    if (this.#cause === null || this.#count <= this.#countMax) return null;
    const message = `${this.#count} pages of this volume cannot be read now (${this.#cause.message}); nothing was changed, so try again when the device answers.`;
    return new LogError("io_failed", message, this.#cause);
  }
}
