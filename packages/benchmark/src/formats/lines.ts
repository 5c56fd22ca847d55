/** The lines of a text, one after the other: a text of nothing but line breaks is no list of millions. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    yield text.slice(from, text[end - 1] === "\r" && end > from ? end - 1 : end);
    from = end + 1;
  }
}
