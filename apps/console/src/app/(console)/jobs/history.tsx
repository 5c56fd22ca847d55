"use client";
import type { ScheduleRow, ScheduleRunRow } from "@stashlight/contracts";
import { Time } from "@stashlight/ui/data";
import { Badge, EmptyState } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { History as HistoryIcon } from "lucide-react";
import { useMemo } from "react";
import { formatDuration } from "../../../client/duration.ts";
import { runStatus } from "../../../client/runs.ts";
import { useTableState } from "../../../client/url-state.ts";
import { QueryError } from "../query-state.tsx";

type ListedRun = ScheduleRunRow & { scheduleName: string };

const durationMs = ({ startedAt, finishedAt }: ScheduleRunRow) =>
  startedAt === null || finishedAt === null ? null : finishedAt.getTime() - startedAt.getTime();

const triggerOf = (run: ScheduleRunRow) =>
  run.trigger === "schedule" ? "Schedule" : `By hand, ${run.requestedBy ?? "somebody"}`;

const columns: Column<ListedRun>[] = [
  {
    id: "planned",
    header: "Planned",
    hideable: false,
    filterable: false,
    value: (run) => run.plannedAt,
    cell: (run) => <Time value={run.plannedAt} />,
  },
  { id: "job", header: "Job", hiddenAtFirst: true, value: (run) => run.scheduleName },
  { id: "trigger", header: "Trigger", value: triggerOf },
  {
    id: "state",
    header: "State",
    value: (run) => run.state,
    cell: (run) => (
      <Badge status={runStatus[run.state]} className="capitalize">
        {run.state}
      </Badge>
    ),
  },
  {
    id: "started",
    header: "Started",
    filterable: false,
    value: (run) => run.startedAt,
    cell: (run) => <Time value={run.startedAt} />,
  },
  {
    id: "duration",
    header: "Duration",
    title: "Duration, ms",
    numeric: true,
    filterable: false,
    value: durationMs,
    cell: (run) => {
      const spent = durationMs(run);
      return spent === null ? <span className="text-faint">–</span> : formatDuration(spent);
    },
  },
  { id: "attempts", header: "Attempts", numeric: true, filterable: false, value: (run) => run.attempts },
  {
    id: "outcome",
    header: "Outcome",
    sortable: false,
    value: (run) => run.outcome,
    cell: (run) => <span className="block min-w-56 whitespace-normal">{run.outcome ?? "–"}</span>,
  },
];

const tableOptions = { columns, defaultSort: { id: "planned", direction: "desc" } } as const;

interface HistoryProps {
  runs: {
    data: ScheduleRunRow[] | undefined;
    isPending: boolean;
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
  };
  schedules: readonly ScheduleRow[];
  runCountMax: number;
}

/** The runs of the page's time range: what was planned, whether it ran, and what came of it. */
export function History({ runs, schedules, runCountMax }: HistoryProps) {
  const [state, setState] = useTableState(tableOptions);
  const rows = useMemo(() => {
    const names = new Map(schedules.map(({ id, name }) => [id, name]));
    return (runs.data ?? []).map((run) => ({
      ...run,
      scheduleName: names.get(run.scheduleId) ?? run.scheduleId,
    }));
  }, [runs.data, schedules]);
  const isCut = rows.length >= runCountMax;
  return (
    <Section
      title="History"
      {...(isCut
        ? { description: `The newest ${runCountMax} runs of the range; choose a shorter one.` }
        : {})}
    >
      <DataTable
        label="Runs"
        columns={columns}
        rows={rows}
        rowKey={(run) => `${run.scheduleId} ${run.plannedAt.getTime()}`}
        state={state}
        onStateChange={setState}
        status={runs.isPending ? "loading" : runs.isError && runs.data === undefined ? "error" : "ready"}
        error={<QueryError what="The runs" error={runs.error} onRetry={() => void runs.refetch()} />}
        empty={
          <EmptyState icon={<HistoryIcon />} title="No run in this time">
            Each run is listed here from the moment it is due; choose a longer time range to see earlier ones.
          </EmptyState>
        }
        exportName="runs"
        skeletonRowCount={6}
      />
    </Section>
  );
}
