"use client";
import type { ChartEvent } from "@stashlight/ui/chart";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { runStatus } from "../runs.ts";
import { useTRPC } from "../trpc.tsx";
import { usePageTime } from "./page-time.tsx";

const none: ChartEvent[] = [];
const RUNS_MAX = 100;

/** What happened in the page's time and may explain a figure: runs of jobs that did not just succeed. */
export function useChartEvents(): readonly ChartEvent[] {
  const trpc = useTRPC();
  const { range } = usePageTime();
  const runs = useQuery(
    trpc.schedule.listRuns.queryOptions(
      { ...range, pageSize: RUNS_MAX },
      { placeholderData: keepPreviousData, select: toEvents },
    ),
  );
  return runs.data ?? none;
}

interface Run {
  readonly state: keyof typeof runStatus;
  readonly plannedAt: Date;
  readonly startedAt: Date | null;
  readonly scheduleId: string;
  readonly outcome: string | null;
}

export function toEvents(runs: readonly Run[]): ChartEvent[] {
  return runs
    .filter(({ state }) => state !== "succeeded" && state !== "queued")
    .map(({ state, plannedAt, startedAt, scheduleId, outcome }) => ({
      timeMs: (startedAt ?? plannedAt).getTime(),
      label: `Job ${state}: ${outcome ?? scheduleId}`,
      status: runStatus[state],
    }));
}
