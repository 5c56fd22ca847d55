import type { ReactNode } from "react";

interface PlainTableProps {
  readonly label: string;
  /** The first one heads the names of the rows, at the left. */
  readonly headers: readonly ReactNode[];
  readonly hasUnbrokenHeaders?: boolean;
  /** On a phone, words wrap or each figure is below a label (`data-label` of its cell); without it the table scrolls. */
  readonly onPhones?: "wrapped" | "labelled";
  /** Name of the region around a table that scrolls, which the keyboard reaches. */
  readonly region?: string;
  /** True if the last column has sentences, aligned left. */
  readonly endsInWords?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Table of a few rows without sorting: names at the left, figures at the right. */
export function PlainTable({ label, headers, region, className = "", children, ...looks }: PlainTableProps) {
  const { hasUnbrokenHeaders, onPhones, endsInWords } = looks;
  const right = `text-right ${hasUnbrokenHeaders ? "whitespace-nowrap" : ""}`;
  const isLeft = (column: number): boolean =>
    column === 0 || (endsInWords === true && column === headers.length - 1);
  return (
    <section
      aria-label={region}
      tabIndex={region === undefined ? undefined : 0}
      className={`overflow-x-auto rounded-md border border-line bg-surface ${className}`}
    >
      <table
        aria-label={label}
        data-table={onPhones === "wrapped" ? "figures" : onPhones}
        className="w-full tabular-nums"
      >
        <thead>
          <tr className="text-left text-muted">
            {headers.map((header, i) => (
              <th key={i} scope="col" className={`px-3 py-1.5 font-medium ${isLeft(i) ? "" : right}`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">{children}</tbody>
      </table>
    </section>
  );
}
