export interface Column {
  readonly title: string;
  /** Right-aligns numbers. */
  readonly isRight?: boolean;
}

/** Formats a table with two spaces between columns and none at the ends of lines. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ isRight = false }, at) => {
        const [cell, width] = [cells[at] ?? "", widths[at] as number];
        return isRight ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)];
}
