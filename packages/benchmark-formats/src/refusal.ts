export type RefusalReason =
  | "too-large"
  | "too-many-rows"
  | "not-readable"
  | "unknown-format"
  | "bad-value"
  | "nothing-in-it";

/** Reason why a file was not imported, as a sentence; nothing from the file is stored. */
export interface ImportRefusal {
  readonly reason: RefusalReason;
  readonly message: string;
  /** Line in the decompressed text, from 1; absent if it has no meaning. */
  readonly line?: number;
  /** Name of the column, or the path to the value, such as `jobs[0].write.bw`. */
  readonly field?: string;
}

/** Thrown by readers, and returned by the importer. */
export class RefusedFile extends Error {
  override readonly name = "RefusedFile";
  readonly refusal: ImportRefusal;

  constructor(reason: RefusalReason, what: string, place: { line?: number; field?: string } = {}) {
    const where = [
      place.line === undefined ? null : `Line ${place.line}`,
      place.field === undefined ? null : `field "${place.field}"`,
    ].filter((part) => part !== null);
    const message = where.length === 0 ? what : `${capitalised(where.join(", "))}: ${what}`;
    super(message);
    this.refusal = { reason, message, ...place };
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SHOWN_MAX = 60;

/** Describes a value briefly enough for a sentence; an object or array is only named as such. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return `"${shortened(String(value))}"`;
}

/** Removes control characters, which have no place in a sentence. */
export function shortened(text: string): string {
  const clean = text.slice(0, SHOWN_MAX).replace(/[\p{Cc}\p{Cf}]/gu, "?");
  return text.length > SHOWN_MAX ? `${clean}…` : clean;
}
