"use client";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricQuery, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc.tsx";
import { useKept } from "../use-kept.ts";
import { withinScope } from "./scope.ts";
import { answeredAtMsOf, useAskedTime } from "./use-asked-time.ts";
import { useScope } from "./use-scope.ts";

/** What is asked of the store, but for the time, which is the page's. */
export interface MetricSelection {
  readonly metric: MetricName;
  readonly where?: Partial<Record<SeriesLabel, string[]>>;
  readonly groupBy?: SeriesLabel[];
  readonly across?: MetricQuery["across"];
  readonly nodeIds?: string[];
  readonly pointCountMax?: number;
  /** Histograms also as figures over several windows. */
  readonly summarise?: boolean;
  readonly findsChanges?: boolean;
  /** With the summary, the range in at most so many points. */
  readonly trend?: MetricQuery["trend"];
}

/** Answers that a moving range left behind are of no further use. */
const GC_MS = 30_000;

export interface MetricsState {
  /** A place for each selection; undefined until all are there. */
  readonly answers: readonly MetricAnswer[] | undefined;
  /** Why the newest question has no answer; the answers to an earlier one may still be there. */
  readonly error: unknown;
  readonly retry: () => void;
}

type Asking = MetricsState & { readonly answeredAtMs: number | null };

/** Outside of the hook, so that what did not change stays the same object and is not prepared and painted again. */
function combine(results: UseQueryResult<MetricAnswer, unknown>[]): Asking {
  const answers = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const failed = results.find(({ isError }) => isError);
  const isComplete = answers.length === results.length;
  return {
    answers: isComplete ? answers : undefined,
    error: failed?.error ?? null,
    answeredAtMs: answeredAtMsOf(results),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** The answers for the page's time, moved back by `offsetMs`; null asks nothing. */
export function useMetrics(
  selections: readonly MetricSelection[],
  offsetMs: number | null = 0,
): MetricsState {
  const trpc = useTRPC();
  const { range, moveOn } = useAskedTime();
  const scope = useScope();
  const scoped = selections.map((selection) => withinScope(selection, scope));
  const movedMs = offsetMs ?? 0;
  const { answeredAtMs, ...state } = useQueries({
    queries: scoped.map(({ metric, where, groupBy, across, nodeIds, pointCountMax, ...figures }) =>
      trpc.metric.query.queryOptions(
        {
          metric,
          where,
          groupBy,
          across,
          nodeIds,
          pointCountMax,
          ...figures,
          fromMs: range.fromMs - movedMs,
          toMs: range.toMs - movedMs,
        },
        { gcTime: GC_MS, enabled: offsetMs !== null },
      ),
    ),
    combine,
  });
  moveOn(answeredAtMs);
  const question = scoped.map(({ pointCountMax: _points, ...selection }) => selection);
  return { ...state, answers: useKept(state.answers, JSON.stringify([question, offsetMs])) };
}

export function useHeatmap(selection: Pick<MetricSelection, "metric" | "where" | "nodeIds">) {
  const trpc = useTRPC();
  const { range, moveOn } = useAskedTime();
  const scope = useScope();
  const query = useQuery(
    trpc.metric.heatmap.queryOptions(
      { ...withinScope(selection, scope), ...range },
      { placeholderData: keepPreviousData, gcTime: GC_MS },
    ),
  );
  moveOn(answeredAtMsOf([query]));
  return query;
}
