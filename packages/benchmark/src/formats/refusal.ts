export type RefusalReason =
  | "too-large"
  | "too-many-rows"
  | "not-readable"
  | "unknown-format"
  | "bad-value"
  | "nothing-in-it";

/** Why a file was not imported. The message is a sentence; nothing of the file is kept. */
export interface ImportRefusal {
  readonly reason: RefusalReason;
  readonly message: string;
  /** From 1, of the decompressed text; absent where it says nothing. */
  readonly line?: number;
  /** Name of the column, or the way to the value as `jobs[0].write.bw`. */
  readonly field?: string;
}

/** Thrown by readers, returned by the door. */
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

/** What was given, short enough for a sentence and without control characters. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const clean = text.replace(/[\p{Cc}\p{Cf}]/gu, "?");
  return `"${clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX)}…` : clean}"`;
}
