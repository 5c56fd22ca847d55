/**
 * Decides whether a log opens although its device did not answer every read clearly: pages could not be read, which are
 * neither rot nor empty, or bytes differed from read to read.
 */
import type { DiskError, DiskFile } from "./disk.ts";
import { LogError } from "./errors.ts";

export class UnreadablePages {
  readonly #countMax: number;
  readonly #offsets = new Map<DiskFile, Set<number>>();
  #count = 0;
  #cause: DiskError | null = null;
  #unstable: LogError | null = null;

  /** `countMax`: number of unreadable pages that opening may skip (LogOptions.unreadablePagesMax). */
  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  note(file: DiskFile, offset: number, cause: DiskError): void {
    const offsets = this.#offsets.get(file) ?? new Set();
    this.#offsets.set(file, offsets);
    if (offsets.has(offset)) return;
    offsets.add(offset);
    this.#count++;
    this.#cause ??= cause;
  }

  /**
   * Records a range that read differently each time and never passed its check. Opening then fails, even within
   * `countMax`.
   */
  noteUnstable(offset: number, bytes: number): void {
    const message = `Each read of the same ${bytes} bytes at offset ${offset} returns different bytes, so a cable, controller or memory garbles them; nothing was changed, so check these and try again.`;
    this.#unstable ??= new LogError("io_failed", message);
  }

  /** Returns the offset of the first unreadable page found in the file, or null if there is none. */
  firstOffset(file: DiskFile): number | null {
    const [first] = this.#offsets.get(file) ?? [];
    return first ?? null;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Returns the reason why opening must fail, or null. A page mistaken for empty could be a segment in use, which would
   * be overwritten.
   */
  refusal(): LogError | null {
    if (this.#unstable !== null) return this.#unstable;
    if (this.#cause === null || this.#count <= this.#countMax) return null;
    const message = `${this.#count} pages of this volume cannot be read now (${this.#cause.message}); nothing was changed, so try again when the device answers.`;
    return new LogError("io_failed", message, this.#cause);
  }
}
