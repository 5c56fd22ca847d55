"use client";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricQuery, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc.tsx";
import { useKept } from "../use-kept.ts";
import { latestAnswerMs } from "./asked-time.ts";
import { withinScope } from "./scope.ts";
import { useAskedTime } from "./use-asked-time.ts";
import { useScope } from "./use-scope.ts";

/** Query to the store without a time; the page adds its own. */
export interface MetricSelection {
  readonly metric: MetricName;
  readonly where?: Partial<Record<SeriesLabel, string[]>>;
  readonly groupBy?: SeriesLabel[];
  readonly across?: MetricQuery["across"];
  readonly nodeIds?: string[];
  readonly pointCountMax?: number;
  /** Adds a summary over several windows to histograms. */
  readonly summarise?: boolean;
  readonly findsChanges?: boolean;
  /** Adds a trend of a limited number of points, for a sparkline. */
  readonly trend?: MetricQuery["trend"];
  /** Queries only this much of the end of the page's range, because points of long ranges are long and end late. */
  readonly lastMs?: number;
}

/** Time for which answers of a moving range stay in the cache. */
const GC_MS = 30_000;

export interface MetricsState {
  /** One entry per selection; undefined until all have arrived. */
  readonly answers: readonly MetricAnswer[] | undefined;
  /** Error of the newest query; answers of an earlier one may still be shown. */
  readonly error: unknown;
  readonly retry: () => void;
}

type Asking = MetricsState & { readonly answeredAtMs: number | null };

/** Defined outside the hook, so that unchanged answers keep their identity and are not prepared and painted again. */
function combine(results: UseQueryResult<MetricAnswer, unknown>[]): Asking {
  const answers = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const failed = results.find(({ isError }) => isError);
  const isComplete = answers.length === results.length;
  return {
    answers: isComplete ? answers : undefined,
    error: failed?.error ?? null,
    answeredAtMs: latestAnswerMs(results),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** Answers for the page's time range, moved back by `offsetMs`; null queries nothing. */
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
    queries: scoped.map(({ metric, where, groupBy, across, nodeIds, pointCountMax, lastMs, ...figures }) =>
      trpc.metric.query.queryOptions(
        {
          metric,
          where,
          groupBy,
          across,
          nodeIds,
          pointCountMax,
          ...figures,
          fromMs: Math.max(range.fromMs, lastMs === undefined ? 0 : range.toMs - lastMs) - movedMs,
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
  moveOn(latestAnswerMs([query]));
  return query;
}
