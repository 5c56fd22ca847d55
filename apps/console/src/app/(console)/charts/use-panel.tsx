"use client";
import type { MetricPanel } from "@stashlight/contracts/metrics";
import type { MetricOrigin } from "@stashlight/contracts/metrics/query";
import { UiLink, utcOffsetMs } from "@stashlight/ui";
import type { ChartInput, ChartRange } from "@stashlight/ui/chart";
import { Time } from "@stashlight/ui/data";
import type { MenuItem } from "@stashlight/ui/menu";
import { ChartSpline, Pin } from "lucide-react";
import type { ReactNode } from "react";
import { describeError } from "../../../client/errors.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { explorerHref } from "../../../client/metrics/panel-address.ts";
import { chartGaps, describeOrigin, lateGaps, originQuantity } from "../../../client/metrics/to-chart.ts";
import { useChartEvents } from "../../../client/metrics/use-events.ts";
import { QueryError } from "../query-state.tsx";
import { type EmptyReason, emptyReason } from "./empty-reason.ts";
import { usePin } from "./pin.tsx";
import { judgeAge } from "./quiet.ts";

/** Props common to all figure panels. */
export interface PanelProps {
  /** The question that the chart answers. */
  readonly title: string;
  /** Metric shown: "fsync, HDD". */
  readonly metric: string;
  /** Export file name without its extension. */
  readonly exportName: string;
  readonly href?: string;
  /** True in the explorer, which needs no link to itself. */
  readonly isInExplorer?: boolean;
  /** Further chart actions offered by the page. */
  readonly menuItems?: readonly MenuItem[];
  /** Message for an empty chart, instead of the computed reason. */
  readonly emptyText?: string;
  /** True if the user chose the labels, which series may not match. */
  readonly isFiltered?: boolean;
  readonly heightPx?: number;
  readonly className?: string;
}

/** Props that follow from the questions and the answers rather than from the page. */
export interface FoundOut {
  /**
   * The chart as a metric panel, which can be opened in Explorer and pinned; null if it has no such
   * form.
   */
  readonly panel?: MetricPanel | null | undefined;
  /** Hidden lines with the reason. */
  readonly hidden?: string | undefined;
}

export interface PanelState {
  readonly error: unknown;
  /** Times at which the nodes behind the chart reported. */
  readonly reported: readonly ChartRange[];
  /** End of the newest window of these nodes; null if there is none. */
  readonly reportedMs: number | null;
  readonly retry: () => void;
}

/** A window may arrive this much later before it counts as missing. */
const ON_ITS_WAY_MS = 30_000;

/** Chart input that depends on the page and the origin, the same for all kinds. */
export function useChartFrame() {
  const { range, nowMs, measuredSinceMs } = usePageTime();
  const events = useChartEvents();
  return (origins: readonly MetricOrigin[], reported: readonly ChartRange[]): ChartInput => {
    const [first] = origins;
    const stepMs = Math.max(0, ...origins.map((origin) => origin.stepMs));
    return {
      range,
      stepMs,
      quantity: first === undefined ? "count" : originQuantity(first),
      gaps: chartGaps(origins),
      late: lateGaps(origins, range.toMs),
      events,
      expectedUntilMs: nowMs - Math.max(ON_ITS_WAY_MS, 2 * stepMs),
      measuredSinceMs,
      reported,
      utcOffsetMs: utcOffsetMs(range.fromMs),
    };
  };
}

/** Age, source, staleness and failure of a panel, as text. */
export function usePanel(
  { hidden, panel = null, isFiltered, isInExplorer = false, menuItems = [], ...props }: PanelProps & FoundOut,
  origins: readonly MetricOrigin[] | undefined,
  state: PanelState,
) {
  const { nowMs, isLive, zoom, range, search } = usePageTime();
  const pin = usePin();
  const { source, caveats, newestMs } = describeOrigin(origins ?? []);
  const stepMs = Math.max(0, ...(origins ?? []).map((origin) => origin.stepMs));
  const isOld = origins !== undefined && state.error !== null;
  const reportedMs = state.reported.length === 0 ? undefined : (state.reportedMs ?? undefined);
  const age = isLive ? judgeAge({ atMs: newestMs, stepMs, reportedMs }, nowMs) : "current";
  return {
    ...props,
    linkOf: () => {
      const link = new URL(panel === null ? location.href : explorerHref(panel, search), location.origin);
      link.searchParams.set("from", new Date(range.fromMs).toISOString());
      link.searchParams.set("to", new Date(range.toMs).toISOString());
      return link.href;
    },
    menuItems: [
      ...(panel === null
        ? []
        : panelItems(panel, isInExplorer ? null : search, () => pin({ panel, title: props.title }))),
      ...menuItems,
    ],
    age:
      newestMs === null ? undefined : (
        <>
          <Time value={newestMs} show="age" />
          {age === "quiet" && reportedMs !== undefined && (
            <>
              , nothing since, as of <Time value={reportedMs} show="age" />
            </>
          )}
        </>
      ),
    source: origins === undefined ? undefined : [source, ...(hidden ? [hidden] : [])].join(" · "),
    caveats: [...caveats, ...(isOld ? [`not refreshed: ${describeError(state.error)}`] : [])],
    stale: age === "stale",
    onZoom: zoom,
    empty:
      props.emptyText ??
      formatEmptyReason(
        emptyReason({
          newestMs,
          range,
          isReported: state.reported.length > 0,
          isFiltered: isFiltered ?? false,
        }),
      ),
    error:
      origins === undefined && state.error !== null ? (
        <QueryError what="The figures" error={state.error} onRetry={state.retry} />
      ) : undefined,
  };
}

/** Without a search, the page is the explorer itself. */
const panelItems = (panel: MetricPanel, search: string | null, onPin: () => void): MenuItem[] => [
  ...(search === null
    ? []
    : [
        {
          id: "explore",
          label: "Open in Explorer",
          icon: <ChartSpline />,
          href: explorerHref(panel, search),
        },
      ]),
  { id: "pin", label: "Pin to dashboard", icon: <Pin />, onSelect: onPin },
];

function formatEmptyReason(reason: EmptyReason): ReactNode {
  if (reason.kind === "no match") {
    return "No series of this metric has these labels in the chosen vaults. Remove a filter to see more.";
  }
  if (reason.kind === "never") {
    return (
      <>
        No node has reported this yet. Figures appear here a few seconds after an enrolled node measures it;
        see <UiLink href="/vaults">vaults and nodes</UiLink>.
      </>
    );
  }
  return (
    <>
      {reason.sentence}; the newest figure is from <Time value={reason.newestMs} />.
    </>
  );
}
