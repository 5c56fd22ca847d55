/**
 * Text as Postgres keeps it: without NUL and without halves of surrogate pairs, at most `lengthMax` UTF-16 units. The
 * audit log's hashes are over what is read back, so what is written must be the very same.
 */
export function storableText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll("\0", "\ufffd").toWellFormed();
}
