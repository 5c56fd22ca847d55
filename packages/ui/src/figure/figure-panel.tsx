"use client";
import { ChartLine, Download, Table2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { chartFrameClass } from "../chart/chart-frame.tsx";
import { cx } from "../core/cx.ts";
import { downloadText } from "../core/download.ts";
import { Skeleton } from "../feedback/progress.tsx";
import { Button } from "../form/button.tsx";
import { formatFigureCsv } from "./figure-csv.ts";
import type { FigureMark, FigureTick, PreparedFigure } from "./model.ts";

export interface FigurePanelProps {
  /** The question that the figure answers. */
  readonly title: string;
  readonly metric: string;
  /** Null while loading. */
  readonly figure: PreparedFigure | null;
  readonly source?: ReactNode;
  readonly caveats?: readonly string[];
  readonly empty?: ReactNode;
  /** Export file name without its extension. */
  readonly exportName: string;
  /** Extra columns that repeat the same text in every row of the export, such as the figure's conclusion. */
  readonly exportRemarks?: Readonly<Record<string, string>>;
  readonly heightPx?: number;
}

/** A figure with its question, and the same data as a table. It is plain SVG, so it prints well. */
export function FigurePanel(props: FigurePanelProps) {
  const { title, metric, figure, source, caveats = [], empty, heightPx = 200 } = props;
  const { exportName, exportRemarks = {} } = props;
  const titleId = useId();
  const [isTable, setIsTable] = useState(false);
  const isShown = figure !== null && !figure.isEmpty;
  return (
    <section aria-labelledby={titleId} data-print="whole" className={chartFrameClass}>
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 id={titleId} className="text-base font-medium text-pretty text-ink">
            {title}
          </h3>
          <p className="text-sm text-pretty text-faint">{metric}</p>
        </div>
        <div className="-mt-1 -mr-1 flex shrink-0 print:hidden">
          <Button
            variant="quiet"
            size="sm"
            disabled={!isShown}
            aria-pressed={isTable}
            aria-label={`View “${title}” as table`}
            icon={isTable ? <ChartLine aria-hidden="true" /> : <Table2 aria-hidden="true" />}
            onClick={() => setIsTable(!isTable)}
          />
          <Button
            variant="quiet"
            size="sm"
            disabled={!isShown}
            aria-label={`Export “${title}” as CSV`}
            icon={<Download aria-hidden="true" />}
            onClick={() => {
              if (figure !== null)
                downloadText(
                  `${exportName}.csv`,
                  "text/csv;charset=utf-8",
                  formatFigureCsv(figure, exportRemarks),
                );
            }}
          />
        </div>
      </header>
      {isShown && <Names marks={figure.marks} />}
      <div className="min-w-0" style={{ minHeight: heightPx }}>
        {figure === null && <Skeleton height={heightPx} />}
        {figure?.isEmpty && (
          <div
            className="hatched grid place-items-center rounded-sm px-4 text-center"
            style={{ height: heightPx }}
          >
            <p className="max-w-[48ch] rounded-sm bg-surface px-2 py-1 text-pretty text-muted">
              {empty ?? "No measurements in this time range; choose a longer one."}
            </p>
          </div>
        )}
        {isShown && isTable && <FigureTable figure={figure} title={title} heightPx={heightPx} />}
        {isShown && !isTable && <Picture figure={figure} title={title} heightPx={heightPx} />}
      </div>
      <p className="mt-auto min-h-4 text-sm text-faint tabular-nums">
        {source}
        {caveats.map((caveat) => (
          <span key={caveat} className="text-warning">
            {" · "}
            {caveat}
          </span>
        ))}
      </p>
    </section>
  );
}

function Names({ marks }: { marks: readonly FigureMark[] }) {
  const named = marks.filter(({ label }) => label !== null);
  if (named.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 text-sm text-muted">
      {named.map((mark) => (
        <li key={mark.id} className="flex items-center gap-1.5">
          <Sign mark={mark} />
          {mark.label}
        </li>
      ))}
    </ul>
  );
}

function Sign({ mark }: { mark: FigureMark }) {
  const isLine = mark.kind === "line";
  return (
    <svg
      width={isLine ? 16 : 10}
      height="10"
      aria-hidden="true"
      style={{ color: `var(--${mark.tone})` }}
      stroke="currentColor"
      strokeWidth="1.5"
    >
      {isLine ? (
        <path d="M0 5H16" strokeDasharray={mark.isDashed ? DASHES : undefined} />
      ) : (
        <circle
          cx="5"
          cy="5"
          r="3.5"
          fill={mark.kind === "points" && mark.isHollow ? "none" : "currentColor"}
        />
      )}
    </svg>
  );
}

function Picture({ figure, title, heightPx }: { figure: PreparedFigure; title: string; heightPx: number }) {
  const { xTicks, yTicks, xLabel, hasNames, marks } = figure;
  return (
    <figure className="flex gap-2 text-sm text-faint tabular-nums">
      <div className={`relative shrink-0 ${hasNames ? "w-36" : "w-14"}`} style={{ height: heightPx - 36 }}>
        {yTicks.map(({ at, label }) => (
          <span
            key={`${at} ${label}`}
            className={`absolute right-0 line-clamp-2 max-w-full -translate-y-1/2 text-right ${hasNames ? "text-muted" : "whitespace-nowrap"}`}
            style={{ top: `${(1 - at) * 100}%` }}
          >
            {label}
          </span>
        ))}
      </div>
      <div className="min-w-0 grow pr-6">
        <svg
          role="img"
          aria-label={`${title} Its figures are in the table.`}
          viewBox="0 0 1000 1000"
          preserveAspectRatio="none"
          width="100%"
          height={heightPx - 36}
          className="block overflow-visible"
        >
          {(hasNames ? xTicks : yTicks).map(({ at, label }) => (
            <path
              key={label}
              d={hasNames ? `M${at * 1000} 0V1000` : `M0 ${(1 - at) * 1000}H1000`}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {marks.map((mark) => (
            <Mark key={mark.id} mark={mark} />
          ))}
        </svg>
        <div className="@container relative h-4">
          {xTicks.map(({ at, label }, i) => (
            <span
              key={`${at} ${label}`}
              className={cx(
                "absolute whitespace-nowrap",
                // Five or more labels touch each other below this width.
                xTicks.length >= 5 && i % 2 === 1 && "@max-[15rem]:invisible",
              )}
              style={{ left: `${at * 100}%`, transform: tickShift({ at, label }) }}
            >
              {label}
            </span>
          ))}
        </div>
        <p className="text-center">{xLabel}</p>
      </div>
    </figure>
  );
}

/**
 * Centres a label below its tick, but begins it no further left than the plot, where the lowest label of the other axis
 * ends.
 */
export const tickShift = ({ at, label }: FigureTick): string =>
  label.length > 2 ? `translateX(max(-50%, ${-100 * at}cqw))` : "translateX(-50%)";

const DASHES = "4 3";
const up = (y: number): number => (1 - y) * 1000;

/** Strokes keep their width when the picture is scaled, so a zero-length line with round caps is a dot at any size. */
function Mark({ mark }: { mark: FigureMark }) {
  const stroke = { stroke: `var(--${mark.tone})`, vectorEffect: "non-scaling-stroke" as const };
  if (mark.kind === "bars") {
    return mark.bars.map(([from, to, top]) => (
      <rect
        key={from}
        x={from * 1000 + 1}
        width={Math.max(1, (to - from) * 1000 - 2)}
        y={up(top)}
        height={top * 1000}
        fill={`var(--${mark.tone})`}
      />
    ));
  }
  if (mark.kind === "rows") {
    return mark.rows.map(([across, from, to, height]) => (
      <rect
        key={`${across} ${from}`}
        x={from * 1000}
        width={Math.max(1, (to - from) * 1000)}
        y={up(across + height / 2)}
        height={height * 1000}
        fill={`var(--${mark.tone})`}
      />
    ));
  }
  if (mark.kind === "shades") {
    return mark.shades.map(([across, from, to, share]) => (
      <rect
        key={`${across} ${from}`}
        x={from * 1000}
        width={(to - from) * 1000}
        y={up(across + mark.height / 2)}
        height={mark.height * 1000}
        fill={`color-mix(in oklab, var(--${mark.tone}) ${Math.round(share * 100)}%, var(--surface))`}
      />
    ));
  }
  if (mark.kind === "intervals") {
    const d = mark.intervals.map(([across, low, , high]) =>
      mark.axis === "x"
        ? `M${low * 1000} ${up(across)}H${high * 1000}`
        : `M${across * 1000} ${up(low)}V${up(high)}`,
    );
    return <path d={d.join("")} {...stroke} strokeWidth="2" fill="none" />;
  }
  if (mark.kind === "line") {
    const d = mark.points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x * 1000} ${up(y)}`).join("");
    const dashes = mark.isDashed ? DASHES : undefined;
    return <path d={d} {...stroke} strokeWidth="1.75" strokeDasharray={dashes} fill="none" />;
  }
  const d = mark.points.map(([x, y]) => `M${x * 1000} ${up(y)}h0`).join("");
  return (
    <>
      <path d={d} {...stroke} strokeWidth="7" strokeLinecap="round" />
      {mark.isHollow && (
        <path d={d} {...stroke} stroke="var(--surface)" strokeWidth="3.5" strokeLinecap="round" />
      )}
    </>
  );
}

const ROWS_MAX = 500;

function FigureTable({
  figure,
  title,
  heightPx,
}: {
  figure: PreparedFigure;
  title: string;
  heightPx: number;
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      aria-label={`Figures of “${title}”`}
      className="overflow-auto rounded-sm border border-line -outline-offset-2"
      style={{ height: heightPx }}
    >
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {figure.columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                className={`sticky top-0 bg-surface px-2 py-1 font-medium whitespace-nowrap text-muted ${i === 0 ? "text-left" : "text-right"}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figure.rows.slice(0, ROWS_MAX).map((row) => (
            <tr key={row.join()}>
              {row.map((cell, i) => (
                <td
                  key={figure.columns[i]}
                  className={`px-2 py-0.5 ${i === 0 ? "text-left" : "text-right"} whitespace-nowrap text-ink`}
                >
                  {cell ?? "–"}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
