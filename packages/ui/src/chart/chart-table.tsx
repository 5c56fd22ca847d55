"use client";
import { formatElapsed } from "../core/format.ts";
import { Time } from "../data/time.tsx";
import type { PreparedChart } from "./model.ts";
import { readingTable } from "./readings.ts";

/** Row limit of the table on screen; the export has every row. */
const ROWS_MAX = 500;

function Moment({ chart, timeMs }: { chart: PreparedChart; timeMs: number }) {
  return chart.isElapsed ? formatElapsed(timeMs) : <Time value={timeMs} />;
}

/** The chart's data as a table of the same height, newest first. */
export function ChartTable({
  chart,
  title,
  heightPx,
}: {
  chart: PreparedChart;
  title: string;
  heightPx: number;
}) {
  const { columns, rows } = readingTable(chart);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      aria-label={`Figures of “${title}”`}
      className="overflow-auto rounded-sm border border-line -outline-offset-2"
      style={{ height: heightPx }}
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {columns.map(({ id, header, numeric }) => (
              <th
                key={id}
                scope="col"
                className={`sticky top-0 border-b border-line bg-surface px-2 py-1 font-medium whitespace-nowrap text-muted ${numeric ? "text-right" : "text-left"}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row) => (
            <tr key={row.timeMs}>
              {columns.map((column, index) => (
                <td
                  key={column.id}
                  className={`px-2 py-0.5 whitespace-nowrap tabular-nums ${index === 0 ? "text-faint" : "text-right text-ink"}`}
                >
                  {index === 0 ? (
                    <Moment chart={chart} timeMs={row.timeMs} />
                  ) : (
                    (column.cell?.(row) ?? String(column.value?.(row) ?? "–"))
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && (
        <p className="px-2 py-1 text-sm text-faint">
          The newest {ROWS_MAX} of {rows.length} windows; the export has all of them.
        </p>
      )}
    </section>
  );
}
