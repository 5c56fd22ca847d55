"use client";
import { ChartLine, Table2 } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { cx } from "../core/cx.ts";
import { lazyPart } from "../core/lazy.tsx";
import { UiLink } from "../core/provider.tsx";
import { Skeleton } from "../feedback/progress.tsx";
import { Button } from "../form/button.tsx";
import type { MenuItem } from "../overlay/menu.tsx";
import { CHART_HEIGHT_PX, chartFrameClass } from "./chart-frame.tsx";
import { hasEndLabels } from "./labels.ts";
import type { ChartRange, PreparedChart } from "./model.ts";
import { PanelMenu } from "./panel-menu.tsx";
import { Swatch } from "./swatch.tsx";

// Loads the charting library with the first chart, behind a skeleton of the same size.
const Plot = lazyPart(async () => (await import("./plot.tsx")).Plot);
const ChartTable = lazyPart(async () => (await import("./chart-table.tsx")).ChartTable);

export interface ChartPanelProps {
  /** The question that the chart answers: "Is purge keeping up?" */
  readonly title: string;
  /** Metric and statistic: "purge lag, p99". */
  readonly metric: string;
  /** Null while loading. */
  readonly chart: PreparedChart | null;
  /** Age of the newest value, and the source of the data. */
  readonly age?: ReactNode;
  readonly source?: string;
  /** True if the data is too old to be trusted. */
  readonly stale?: boolean;
  /** "modelled", "simulated": marks values that were not measured. */
  readonly caveats?: readonly string[];
  /** Replaces the plot. */
  readonly error?: ReactNode;
  /** Message for an empty range. */
  readonly empty?: ReactNode;
  readonly onZoom?: (range: ChartRange) => void;
  /** Export file name without its extension. */
  readonly exportName: string;
  /** Permanent link to the same data. */
  readonly linkOf?: (() => string) | undefined;
  /** Further chart actions. */
  readonly menuItems?: readonly MenuItem[] | undefined;
  readonly href?: string;
  readonly heightPx?: number;
  readonly className?: string;
}

/** A chart with its question, unit, data source, and the same data as a table. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, metric, chart, error, empty, stale, heightPx = CHART_HEIGHT_PX, className } = props;
  const titleId = useId();
  const [isTable, setIsTable] = useState(false);
  const isShown = chart !== null && !chart.isEmpty && error === undefined;
  useEffect(() => Plot.preload(), []);
  return (
    <section
      aria-labelledby={titleId}
      data-stale={stale || undefined}
      className={cx(chartFrameClass, className)}
    >
      {stale && <span aria-hidden="true" className="hatched absolute inset-x-0 top-0 h-1 rounded-t-[5px]" />}
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 id={titleId} className="text-base font-medium text-pretty text-ink">
            {props.href === undefined ? title : <UiLink href={props.href}>{title}</UiLink>}
          </h3>
          <p className="text-sm text-pretty text-faint">
            {metric}
            {chart !== null && chart.unit.name !== "" && ` · ${chart.unit.name}`}
          </p>
        </div>
        <Actions {...props} isShown={isShown} isTable={isTable} onTableChange={setIsTable} />
      </header>
      <div className="min-w-0" style={{ minHeight: heightPx }}>
        <Body {...props} heightPx={heightPx} isTable={isTable} error={error} empty={empty} />
      </div>
      {/* Below the plot, so that the plot does not move when the names appear. */}
      {isShown && <Names chart={chart} />}
      <Origin {...props} />
    </section>
  );
}

type BodyProps = ChartPanelProps & { heightPx: number; isTable: boolean };

function Body({ chart, title, error, empty, heightPx, isTable, onZoom }: BodyProps) {
  if (error !== undefined) return error;
  if (chart === null) return <Skeleton height={heightPx} />;
  if (chart.isEmpty) {
    return (
      <div
        data-gap={chart.isReported ? undefined : ""}
        className={cx(
          "grid place-items-center rounded-sm px-4 text-center",
          chart.isReported ? "border border-line" : "hatched",
        )}
        style={{ height: heightPx }}
      >
        <p className="max-w-[48ch] rounded-sm bg-surface px-2 py-1 text-pretty text-muted">
          {empty ?? "No measurements in this time range; choose a longer one."}
        </p>
      </div>
    );
  }
  const shown = { chart, title, heightPx, fallback: <Skeleton height={heightPx} /> };
  if (isTable) return <ChartTable {...shown} />;
  return (
    <div className="relative">
      <Plot {...shown} onZoom={onZoom} />
      {chart.zeroUntilMs !== undefined && (
        <p className="pointer-events-none absolute inset-x-0 top-1/3 px-12 text-center text-pretty text-muted">
          {/* Has its own background, because gaps are hatched. */}
          <span className="rounded-sm bg-surface box-decoration-clone px-2 py-1">{empty}</span>
        </p>
      )}
    </div>
  );
}

type ActionsProps = ChartPanelProps & {
  isShown: boolean;
  isTable: boolean;
  onTableChange: (isTable: boolean) => void;
};

function Actions(props: ActionsProps) {
  const { title, metric, chart, exportName, source, caveats = [], isShown, isTable, onTableChange } = props;
  const origin = [...(source === undefined ? [] : [source]), ...caveats].join(" · ");
  return (
    <div className="-mt-1 -mr-1 flex shrink-0 print:hidden">
      <Button
        variant="quiet"
        size="sm"
        disabled={!isShown}
        aria-pressed={isTable}
        aria-label={`View “${title}” as table`}
        title={isTable ? "View as chart" : "View as table"}
        icon={isTable ? <ChartLine aria-hidden="true" /> : <Table2 aria-hidden="true" />}
        onClick={() => onTableChange(!isTable)}
      />
      <PanelMenu
        title={title}
        exportName={exportName}
        picture={isShown && chart !== null ? { chart, title, metric, origin } : null}
        linkOf={props.linkOf}
        items={props.menuItems}
      />
    </div>
  );
}

/** A longer legend would be less useful than pointing at a line. */
const NAMES_MAX = 12;

/** Legend for charts whose lines are not named at their ends; a heatmap names its rows on the axis. */
function Names({ chart }: { chart: PreparedChart }) {
  const named = chart.readings
    .filter(({ weight, points }) => weight !== "previous" && points.some(({ value }) => value !== null))
    // Grey lines come last, because colour does not identify them.
    .sort((a, b) => Number(a.tone === "unknown") - Number(b.tone === "unknown"));
  if (hasEndLabels(chart) || named.length < 2 || chart.readingUnit !== undefined) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 text-sm text-muted">
      {named.slice(0, NAMES_MAX).map(({ id, label, tone, weight }) => (
        <li key={id} className="flex items-center gap-1.5 whitespace-nowrap">
          <Swatch tone={tone} weight={weight} />
          {label}
        </li>
      ))}
      {named.length > NAMES_MAX && <li className="text-faint">and {named.length - NAMES_MAX} more</li>}
    </ul>
  );
}

function Origin({ age, source, stale, caveats = [] }: ChartPanelProps) {
  return (
    <p className="mt-auto min-h-4 text-sm text-faint tabular-nums">
      {age}
      {age !== undefined && source !== undefined && " · "}
      {source}
      {stale && " · stale"}
      {caveats.map((caveat) => (
        <span key={caveat} className="text-warning">
          {" · "}
          {caveat}
        </span>
      ))}
    </p>
  );
}
