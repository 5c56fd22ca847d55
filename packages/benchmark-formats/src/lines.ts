import { RefusedFile } from "./refusal.ts";

/** A longer line or row cannot be a measurement, and would stay in memory until it ends. */
export const LINE_LENGTH_MAX = 2 ** 20;

/** Iterates over the lines of a text without a list, which could have millions of entries for a text of line breaks. */
export function* splitLines(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf("\n", from);
    const end = next < 0 ? text.length : next;
    yield text.slice(from, text[end - 1] === "\r" && end > from ? end - 1 : end);
    from = end + 1;
  }
}

/** Splits text that arrives in pieces into lines, and passes each on with its number, from 1. */
export function createLineCutter(take: (line: string, number: number) => void) {
  let rest = "";
  let number = 0;
  const give = (line: string): void => {
    number += 1;
    take(line.endsWith("\r") ? line.slice(0, -1) : line, number);
  };
  return {
    push(text: string): void {
      rest += text;
      let from = 0;
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", from)) {
        give(rest.slice(from, end));
        from = end + 1;
      }
      rest = rest.slice(from);
      if (rest.length > LINE_LENGTH_MAX) throw lineTooLong(number + 1);
    },
    end(): void {
      if (rest !== "") give(rest);
      rest = "";
    },
  };
}

export function lineTooLong(line: number): RefusedFile {
  return new RefusedFile("bad-value", `It has more than ${LINE_LENGTH_MAX} characters.`, { line });
}
