/**
 * Wraps text to lines of at most `width`, between words; the first begins with `mark`, the others with equal
 * indentation.
 */
export function wrap(text: string, width: number, mark = ""): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").filter(Boolean)) {
    if (line !== "" && mark.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.map((each, at) => `${at === 0 ? mark : " ".repeat(mark.length)}${each}`);
}
