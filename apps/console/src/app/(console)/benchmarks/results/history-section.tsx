"use client";
import {
  type BenchmarkChange,
  type BenchmarkSubjectChoice,
  formatPValue,
} from "@stashlight/contracts/benchmark";
import { formatCount, utcOffsetMs } from "@stashlight/ui";
import { ChartPanel } from "@stashlight/ui/chart";
import { Time } from "@stashlight/ui/data";
import { Section } from "@stashlight/ui/layout";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { QueryError } from "../../query-state.tsx";
import { formatMs } from "./comparison.tsx";
import { describeNoChange, prepareHistory } from "./history-chart.ts";
import { formatSubject } from "./subject.ts";

interface HistorySectionProps {
  planId: string;
  subject: BenchmarkSubjectChoice;
  period: { fromMs: number; toMs: number };
  onZoom: (range: { from: string; to: string }) => void;
}

const none: BenchmarkChange[] = [];

export function HistorySection({ planId, subject, period, onZoom }: HistorySectionProps) {
  const trpc = useTRPC();
  const { operation, sizeBytes, connectionCount } = subject;
  const asked = { planId, operation, sizeBytes, connectionCount, ...period };
  const history = useQuery(
    trpc.benchmarkResult.history.queryOptions(asked, { placeholderData: keepPreviousData }),
  );
  const changes = useQuery(
    trpc.benchmarkResult.changes.queryOptions(asked, { placeholderData: keepPreviousData }),
  );
  const found = changes.data ?? none;
  const { fromMs, toMs } = period;
  const chart = useMemo(
    () =>
      history.data === undefined
        ? null
        : prepareHistory({
            history: history.data,
            changes: found,
            range: { fromMs, toMs },
            utcOffsetMs: utcOffsetMs(fromMs),
          }),
    [history.data, found, fromMs, toMs],
  );
  const runCounts = history.data?.series.map((series) => series.runCount) ?? [];
  const runCount = runCounts.reduce((sum, count) => sum + count, 0);
  return (
    <Section title="History">
      <ChartPanel
        title="Does latency stay the same?"
        metric={`${formatSubject(subject)}, ${history.data?.isBucketed ? "medians of runs, with the lowest and highest of a bucket" : "median of each run with its 95 % interval"}`}
        chart={chart}
        {...(history.isError && history.data === undefined
          ? {
              error: (
                <QueryError what="The history" error={history.error} onRetry={() => void history.refetch()} />
              ),
            }
          : {})}
        source={`${formatCount(runCount)} runs`}
        caveats={distinctCaveats(history.data?.series.map(({ endpoint }) => endpoint.label) ?? [])}
        onZoom={(range) =>
          onZoom({ from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() })
        }
        exportName="benchmark-history"
        heightPx={320}
      />
      <Changes changes={found} runCounts={runCounts} isPending={changes.isPending || history.isPending} />
    </Section>
  );
}

const distinctCaveats = (labels: readonly string[]): string[] => [
  ...new Set(labels.filter((label) => label !== "measured")),
];

interface ChangesProps {
  readonly changes: readonly BenchmarkChange[];
  /** Runs per endpoint in the time range. */
  readonly runCounts: readonly number[];
  readonly isPending: boolean;
}

export function Changes({ changes, runCounts, isPending }: ChangesProps) {
  if (isPending) return null;
  if (changes.length === 0) return <p className="text-muted">{describeNoChange(runCounts)}</p>;
  return (
    <ul aria-label="Changes of level" className="flex flex-col gap-1">
      {changes.map(({ endpointId, endpointName, atMs, beforeMs, afterMs, changeShare, pValue }) => (
        <li key={`${endpointId} ${atMs}`}>
          <Time value={atMs} />: {endpointName} went from {formatMs(beforeMs)} to {formatMs(afterMs)} (
          {changeShare > 0 ? "+" : "−"}
          {Math.round(100 * Math.abs(changeShare))} %, {changeShare > 0 ? "slower" : "faster"},{" "}
          <span className="text-faint">{formatPValue(pValue)}</span>)
        </li>
      ))}
    </ul>
  );
}
