"use client";
import type { ScheduleRow } from "@stashlight/contracts/schedule";
import type { Role } from "@stashlight/contracts/user";
import { textColumn } from "@stashlight/ui/columns";
import { Badge } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import type { ReactNode } from "react";
import { runStatus } from "../../../client/runs.ts";
import { UrlTable } from "../../../client/url-table.tsx";
import { LastOccurrence, recurrenceColumns } from "./occurrence.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";

const columns: Column<ScheduleRow>[] = [
  textColumn("name", "Job", ({ name }) => name, {
    hideable: false,
    cell: ({ name, description, paused }) => (
      <span className="inline-flex max-w-72 items-center gap-2" title={description}>
        <span className="font-medium">{name}</span>
        {paused && <Badge status="warning">Paused</Badge>}
      </span>
    ),
  }),
  textColumn("state", "Last run", ({ lastRun }) => lastRun?.state, {
    cell: ({ lastRun }) => <LastOccurrence last={lastRun} statusOf={runStatus} isDense />,
  }),
  textColumn("outcome", "Outcome", ({ lastRun }) => lastRun?.outcome, {
    sortable: false,
    cell: ({ lastRun }) => <span className="block w-72 truncate">{lastRun?.outcome ?? "–"}</span>,
  }),
  ...recurrenceColumns<ScheduleRow>(({ paused }) => paused),
  textColumn("description", "Description", ({ description }) => description, {
    hiddenAtFirst: true,
    sortable: false,
  }),
];

const tableOptions = {
  columns,
  prefix: "schedules-",
  defaultSort: { id: "name", direction: "asc" },
} as const;

interface ScheduleTableProps {
  readonly schedules: readonly ScheduleRow[];
  readonly status: "ready" | "loading" | "error";
  readonly error: ReactNode;
  readonly empty: ReactNode;
  readonly role: Role;
}

/** One line per worker schedule: last run and next run. */
export function ScheduleTable({ schedules, role, ...rest }: ScheduleTableProps) {
  return (
    <UrlTable
      {...rest}
      label="Schedules"
      rows={schedules}
      rowKey={({ id }) => id}
      table={tableOptions}
      rowActions={(schedule) => <ScheduleActions schedule={schedule} role={role} />}
      filterBox={false}
      skeletonRowCount={4}
    />
  );
}
