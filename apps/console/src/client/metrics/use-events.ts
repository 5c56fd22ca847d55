"use client";
import type { ChartEvent } from "@stashlight/ui/chart";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "../trpc.tsx";
import { alertsToEvents } from "./alert-events.ts";
import { annotationsToEvents, maintenanceToEvents } from "./annotation-events.ts";
import { benchmarksToEvents } from "./benchmark-events.ts";
import { usePageTime } from "./page-time.tsx";
import { runsToEvents } from "./run-events.ts";
import { useScope } from "./use-scope.ts";
import { useVaultInView } from "./vault-in-view.tsx";

const none: ChartEvent[] = [];
const RUNS_MAX = 100;
const ALERTS_MAX = 100;
const BENCHMARKS_MAX = 100;
const ANNOTATIONS_MAX = 100;

/**
 * Events in the page's time range that may explain a figure: alerts, benchmarks, annotations and maintenance of the
 * vaults in scope, and job runs with unusual outcomes.
 */
export function useChartEvents(): readonly ChartEvent[] {
  const trpc = useTRPC();
  const { range } = usePageTime();
  const runs = useQuery(
    trpc.schedule.listRuns.queryOptions(
      { ...range, isNotable: true, pageSize: RUNS_MAX },
      { placeholderData: keepPreviousData, select: runsToEvents },
    ),
  );
  const alerts = useQuery(
    trpc.alert.listIncidents.queryOptions(
      { ...range, pageSize: ALERTS_MAX },
      { placeholderData: keepPreviousData },
    ),
  );
  const { asked } = useScope();
  const vault = useVaultInView();
  const shown = useMemo(() => (vault === null ? (asked ?? null) : [vault]), [asked, vault]);
  const benchmarks = useQuery(
    trpc.benchmarkRun.listMarks.queryOptions(
      { ...range, pageSize: BENCHMARKS_MAX },
      { placeholderData: keepPreviousData },
    ),
  );
  const annotations = useQuery(
    trpc.annotation.list.queryOptions(
      { ...range, pageSize: ANNOTATIONS_MAX },
      { placeholderData: keepPreviousData },
    ),
  );
  const maintenance = useQuery(
    trpc.alert.listMaintenance.queryOptions({ ...range }, { placeholderData: keepPreviousData }),
  );
  return useMemo(
    () =>
      [
        ...(runs.data ?? none),
        ...alertsToEvents(alerts.data ?? [], shown),
        ...benchmarksToEvents(benchmarks.data ?? [], shown),
        ...annotationsToEvents(annotations.data ?? [], shown),
        ...maintenanceToEvents(maintenance.data ?? [], shown),
      ].sort((a, b) => a.timeMs - b.timeMs),
    [runs.data, alerts.data, benchmarks.data, annotations.data, maintenance.data, shown],
  );
}
