"use client";
import type { MetricOrigin } from "@stashlight/contracts/metrics/query";
import type { ChartInput } from "@stashlight/ui/chart";
import { Time } from "@stashlight/ui/data";
import type { ReactNode } from "react";
import { describeError } from "../../../client/errors.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { describeOrigin, gapsOf, isStale, lateGapsOf, quantityOf } from "../../../client/metrics/to-chart.ts";
import { useChartEvents } from "../../../client/metrics/use-events.ts";
import { QueryError } from "../query-state.tsx";

/** What every panel of figures takes besides its own. */
export interface PanelProps {
  /** The question that the chart answers. */
  readonly title: string;
  /** What is measured: "fsync, HDD". */
  readonly metric: string;
  /** File name of the export, without its ending. */
  readonly exportName: string;
  readonly href?: string;
  /** Said where there is nothing, when that is not for want of nodes. */
  readonly emptyText?: string;
  readonly heightPx?: number;
  readonly className?: string;
}

/** Besides what pages give: found out from the answers. */
export interface FoundOut {
  /** The lines that are not drawn, and why. */
  readonly hidden?: string | undefined;
}

export interface PanelState {
  readonly error: unknown;
  readonly retry: () => void;
}

/** A window may still be on its way for so long. */
const ON_ITS_WAY_MS = 30_000;

/** The part of a chart's input that is the page's and the origin's, the same for all kinds. */
export function useChartFrame() {
  const { range, nowMs, measuredSinceMs } = usePageTime();
  const events = useChartEvents();
  return (origins: readonly MetricOrigin[]): ChartInput => {
    const [first] = origins;
    const stepMs = Math.max(0, ...origins.map((origin) => origin.stepMs));
    return {
      range,
      stepMs,
      quantity: first === undefined ? "count" : quantityOf(first),
      gaps: gapsOf(origins),
      late: lateGapsOf(origins, range.toMs),
      events,
      expectedUntilMs: nowMs - Math.max(ON_ITS_WAY_MS, 2 * stepMs),
      measuredSinceMs,
      utcOffsetMs: -new Date(range.fromMs).getTimezoneOffset() * 60_000,
    };
  };
}

/** Age, source, staleness and failure of a panel, in words. */
export function usePanel(
  { hidden, ...props }: PanelProps & FoundOut,
  origins: readonly MetricOrigin[] | undefined,
  state: PanelState,
) {
  const { nowMs, isLive, zoom } = usePageTime();
  const { source, caveats, newestMs } = describeOrigin(origins ?? []);
  const stepMs = Math.max(0, ...(origins ?? []).map((origin) => origin.stepMs));
  const isOld = origins !== undefined && state.error !== null;
  return {
    ...props,
    age: newestMs === null ? undefined : <Time value={newestMs} show="relative" />,
    source: origins === undefined ? undefined : [source, ...(hidden ? [hidden] : [])].join(" · "),
    caveats: [...caveats, ...(isOld ? [`not refreshed: ${describeError(state.error)}`] : [])],
    stale: isLive && isStale(newestMs, nowMs, stepMs),
    onZoom: zoom,
    empty: props.emptyText ?? formatEmptyReason(newestMs),
    error:
      origins === undefined && state.error !== null ? (
        <QueryError what="The figures" error={state.error} onRetry={state.retry} />
      ) : undefined,
  };
}

function formatEmptyReason(newestMs: number | null): ReactNode {
  if (newestMs === null) {
    return "No node has reported this yet. Figures appear here a few seconds after an enrolled node starts.";
  }
  return (
    <>
      Nothing was reported in this time range; the newest figure is from <Time value={newestMs} />.
    </>
  );
}
