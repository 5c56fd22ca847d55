"use client";
import type { ScheduleRow, ScheduleRunRow } from "@stashlight/contracts/schedule";
import type { Role } from "@stashlight/contracts/user";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { TimeRangePicker } from "@stashlight/ui/time-range";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { NextStep } from "../../../client/next-step.tsx";
import { readTimeRange } from "../../../client/read-time-range.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useTimeRange } from "../../../client/url-state.ts";
import { useInstants } from "../../../client/use-instants.ts";
import { QueryError } from "../query-state.tsx";
import { missingJobRights } from "./schedule-actions.tsx";

// Loads the columns in parallel with the page, like the tables.
const History = lazyPart(async () => (await import("./history.tsx")).History);
const ScheduleTable = lazyPart(async () => (await import("./schedule-table.tsx")).ScheduleTable);
for (const part of [ScheduleTable, History]) part.preload();

const busyRefetchMs = 1_000;
const idleRefetchMs = 15_000;
const runCountMax = 500;
const noSchedules: ScheduleRow[] = [];

const isUnderWay = (run: ScheduleRunRow | null) => run?.state === "queued" || run?.state === "running";

/** Polls often while a run is pending, rarely otherwise. */
const refetchMs = (runs: readonly (ScheduleRunRow | null)[] | undefined) =>
  runs?.some(isUnderWay) ? busyRefetchMs : idleRefetchMs;

export function JobsPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const range = useTimeRange();
  const instants = useInstants(range.value);
  const [hasRollUps, setHasRollUps] = useState(false);
  const schedules = useQuery(
    trpc.schedule.list.queryOptions(undefined, {
      refetchInterval: ({ state }) => refetchMs(state.data?.map(({ lastRun }) => lastRun)),
    }),
  );
  const runs = useQuery(
    trpc.schedule.listRuns.queryOptions(
      { ...instants, withoutRollUps: !hasRollUps, pageSize: runCountMax },
      { placeholderData: keepPreviousData, refetchInterval: ({ state }) => refetchMs(state.data) },
    ),
  );
  return (
    <Page>
      <PageHeader
        title="Jobs"
        description="The worker's schedules, their next runs, and the outcome of every run."
        timeRange={<TimeRangePicker value={range.value} onChange={range.setValue} resolve={readTimeRange} />}
      />
      <Section title="Schedules" description={missingJobRights[role]}>
        <ScheduleTable
          schedules={schedules.data ?? noSchedules}
          status={schedules.isPending ? "loading" : schedules.data === undefined ? "error" : "ready"}
          error={
            <QueryError
              what="The schedules"
              error={schedules.error}
              onRetry={() => void schedules.refetch()}
            />
          }
          empty={
            <NextStep
              icon={<CalendarClock />}
              title="No schedules yet"
              step={{ label: "System health", href: "/health" }}
            >
              A worker creates the built-in schedules when it first starts. Start one to see them here.
            </NextStep>
          }
          role={role}
          fallback={<Skeleton height={240} />}
        />
      </Section>
      <History
        runs={runs}
        runCountMax={runCountMax}
        hasRollUps={hasRollUps}
        onHasRollUpsChange={setHasRollUps}
        fallback={<Skeleton height={480} />}
      />
    </Page>
  );
}
