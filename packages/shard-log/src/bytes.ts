/** Byte comparisons, fast enough to run over whole drives when they are opened. */

const WORD_BYTES = 4;

const isOfWords = ({ byteOffset, length }: Uint8Array): boolean =>
  byteOffset % WORD_BYTES === 0 && length % WORD_BYTES === 0;

const wordView = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length / WORD_BYTES);

export function isSame(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  const areOfWords = isOfWords(left) && isOfWords(right);
  const [ours, theirs] = areOfWords ? [wordView(left), wordView(right)] : [left, right];
  for (let at = 0; at < ours.length; at++) if (ours[at] !== theirs[at]) return false;
  return true;
}

/** Returns true if every byte is zero. */
export function isBlank(bytes: Uint8Array): boolean {
  const parts = isOfWords(bytes) ? wordView(bytes) : bytes;
  for (let at = 0; at < parts.length; at++) if (parts[at] !== 0) return false;
  return true;
}
