"use client";
import type { TimeRange, TimeRangeExpressions } from "@stashlight/contracts/time";
import { serverNow, useNow } from "@stashlight/ui";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { createContext, type ReactNode, useContext, useState } from "react";
import { resolveTimeRange, useTimeRange } from "../url-state.ts";
import { scopeParam } from "./chosen-search.ts";
import { useMeasuredSinceMs } from "./measured-since.tsx";
import { initialRange, previousOffsetMs, previousWords, refetchIntervalMs } from "./period.ts";
import { useChosenVaults } from "./use-scope.ts";

/** Time range shared by all charts of a page. */
export interface PageTime {
  readonly expressions: TimeRangeExpressions;
  readonly setExpressions: (expressions: TimeRangeExpressions) => void;
  readonly range: TimeRange;
  readonly nowMs: number;
  /** Time at which ages are measured: now, or the end of a range in the past. */
  readonly ageEndMs: number;
  /** Interval at which figures of this range are read again. */
  readonly paceMs: number;
  /** Start of the data. */
  readonly measuredSinceMs: number;
  /** True if the range ends now, and so advances. */
  readonly isLive: boolean;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
  /** Shows another time; Back returns. */
  readonly zoom: (range: TimeRange) => void;
  readonly comparison: { readonly offsetMs: number; readonly words: string } | null;
  readonly setCompared: (isCompared: boolean) => void;
  /** Search string for links within the console, so that the next page shows the same time and vaults. */
  readonly search: string;
}

const PageTimeContext = createContext<PageTime | null>(null);

const CLOCK_MS = 5_000;
/**
 * Delay of queries. Nodes end their windows at whole multiples of the window's length, and send them within a tenth of
 * it. A chart that queries with this delay has each window two seconds after its end, instead of up to seven.
 */
const AFTER_WINDOW_MS = 1_500;

export function PageTimeProvider({ children }: { children: ReactNode }) {
  const { chosen } = useChosenVaults();
  const [compare, setCompare] = useQueryState("compare", parseAsStringLiteral(["previous"]));
  const [loadedAtMs] = useState(() => serverNow());
  const [pausedAtMs, setPausedAtMs] = useState<number | null>(null);
  const clockMs = useNow(CLOCK_MS, AFTER_WINDOW_MS) ?? loadedAtMs;
  const measuredSinceMs = useMeasuredSinceMs();
  const unchosen = initialRange((pausedAtMs ?? clockMs) - measuredSinceMs);
  const { value: expressions, setValue: setExpressions } = useTimeRange(unchosen);
  const isLive = /^now$/i.test(expressions.to.trim());
  const nowMs = isLive && pausedAtMs !== null ? pausedAtMs : clockMs;
  const lengthMs = rangeMs(resolveTimeRange(expressions, nowMs, unchosen));
  const paceMs = refetchIntervalMs(lengthMs);
  const range = resolveTimeRange(expressions, Math.ceil(nowMs / paceMs) * paceMs, unchosen);
  const time: PageTime = {
    expressions,
    setExpressions,
    range,
    paceMs,
    nowMs,
    ageEndMs: isLive ? nowMs : range.toMs,
    measuredSinceMs,
    isLive,
    isPaused: isLive && pausedAtMs !== null,
    setPaused: (isPaused) => setPausedAtMs(isPaused ? clockMs : null),
    zoom: ({ fromMs, toMs }) =>
      setExpressions({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }),
    comparison: compare && { offsetMs: previousOffsetMs(lengthMs), words: previousWords(lengthMs) },
    setCompared: (isCompared) => void setCompare(isCompared ? "previous" : null),
    search: `?${new URLSearchParams({ ...expressions, ...(chosen === null ? {} : { [scopeParam]: chosen.join() }) })}`,
  };
  return <PageTimeContext value={time}>{children}</PageTimeContext>;
}

const rangeMs = ({ fromMs, toMs }: TimeRange): number => toMs - fromMs;

export function usePageTime(): PageTime {
  const time = useContext(PageTimeContext);
  if (time === null) throw new Error("Charts need the time of a page: put them into a PageTimeProvider.");
  return time;
}
