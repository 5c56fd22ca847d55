"use client";
import type { ScheduleRunRow, ScheduleRunState } from "@stashlight/contracts/schedule";
import { numberColumn } from "@stashlight/ui/columns";
import { Checkbox } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { History as HistoryIcon } from "lucide-react";
import { NextStep, useLongerRange } from "../../../client/next-step.tsx";
import { runStatus } from "../../../client/runs.ts";
import { QueryTable } from "../query-table.tsx";
import { occurrenceColumns } from "./occurrence.tsx";

const noRuns: ScheduleRunRow[] = [];

const describeTrigger = (run: ScheduleRunRow) =>
  run.trigger === "schedule" ? "Schedule" : `Manual, ${run.requestedBy ?? "a user"}`;

const { planned, state, started, duration, outcome } = occurrenceColumns<ScheduleRunState, ScheduleRunRow>(
  runStatus,
);

const columns: Column<ScheduleRunRow>[] = [
  planned,
  {
    id: "job",
    header: "Job",
    value: (run) => run.scheduleName,
    cell: (run) => <span className="block max-w-60 truncate">{run.scheduleName}</span>,
  },
  { id: "trigger", header: "Trigger", value: describeTrigger },
  state,
  started,
  duration,
  numberColumn("attempts", "Attempts", (run) => run.attempts, { hiddenAtFirst: true }),
  outcome,
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
  runCountMax: number;
  /** True if successful roll-ups, one per minute, are listed. */
  hasRollUps: boolean;
  onHasRollUpsChange: (hasRollUps: boolean) => void;
}

/** Lists runs in the page's time range: planned time, state and outcome. */
export function History({ runs, runCountMax, hasRollUps, onHasRollUpsChange }: HistoryProps) {
  const longer = useLongerRange();
  const rows = runs.data ?? noRuns;
  const isCut = rows.length >= runCountMax;
  return (
    <Section
      title="History"
      actions={
        <Checkbox
          label="List roll-ups that succeeded"
          checked={hasRollUps}
          onCheckedChange={onHasRollUpsChange}
        />
      }
      {...(isCut
        ? {
            description: `The newest ${runCountMax} runs of the range. Choose a shorter range to see the others.`,
          }
        : {})}
    >
      <QueryTable
        label="Runs"
        rows={rows}
        rowKey={(run) => `${run.scheduleId} ${run.plannedAt.getTime()}`}
        table={tableOptions}
        query={runs}
        what="The runs"
        empty={
          <NextStep icon={<HistoryIcon />} title="No runs in this time range" step={longer}>
            A run is listed here from the moment it is due. Choose a longer time range to see earlier runs.
          </NextStep>
        }
        exportName="runs"
        skeletonRowCount={6}
      />
    </Section>
  );
}
