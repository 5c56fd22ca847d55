/**
 * Returns text as Postgres stores it: without NUL and unpaired surrogates, at most `lengthMax` UTF-16 units. The audit
 * log's hashes cover what is read back, so exactly that must be written.
 */
export function storableText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll("\0", "\ufffd").toWellFormed();
}
