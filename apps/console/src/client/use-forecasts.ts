"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { forecastRefetchMs, type VaultForecast } from "./forecasts.ts";
import type { MetricSelection } from "./metrics/use-metrics.ts";
import { useTRPC } from "./trpc.tsx";

const none: readonly VaultForecast[] = [];

type ForecastScope = Pick<MetricSelection, "where" | "nodeIds">;

/** Current forecasts, also on a page that shows the past; empty until they arrive. */
export function useForecasts(scope: ForecastScope = {}): readonly VaultForecast[] {
  return useForecastAnswer(scope).forecasts;
}

/** Also returns whether the first answer is pending, for content that is sorted by it. */
export function useForecastAnswer(scope: ForecastScope = {}): {
  readonly forecasts: readonly VaultForecast[];
  readonly isWaiting: boolean;
} {
  const trpc = useTRPC();
  const { where, nodeIds } = scope;
  const query = useQuery(
    trpc.forecast.list.queryOptions(
      { where, nodeIds },
      {
        refetchInterval: ({ state }) => forecastRefetchMs(state.data ?? none),
        placeholderData: keepPreviousData,
      },
    ),
  );
  return { forecasts: query.data ?? none, isWaiting: query.isPending };
}
