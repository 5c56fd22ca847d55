/** A table of Markdown, padded as the formatter pads tables. The first row is the head. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const formatRow = (cells: readonly string[], fill = " "): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0, fill)).join(" | ")} |`;
  return [
    formatRow(head),
    formatRow(
      head.map(() => ""),
      "-",
    ),
    ...body.map((row) => formatRow(row)),
  ].join("\n");
}

/** The document with `text` between two marks; `what` names the text in the error if the marks are missing. */
export function withText(
  document: string,
  [begin, end]: readonly [string, string],
  what: string,
  text: string,
) {
  const [head, rest] = document.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) {
    throw new Error(`The document has no place for the ${what}, between "${begin}" and "${end}".`);
  }
  return `${head}${begin}\n\n${text}\n\n${end}${tail}`;
}
