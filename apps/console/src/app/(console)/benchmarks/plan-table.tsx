"use client";
import type { BenchmarkPlanRow } from "@stashlight/contracts/benchmark";
import type { Role } from "@stashlight/contracts/user";
import { lazyPart } from "@stashlight/ui";
import { textColumn } from "@stashlight/ui/columns";
import { Skeleton } from "@stashlight/ui/feedback";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { type ReactNode, useMemo } from "react";
import { useTableState } from "../../../client/url-state.ts";
import { LastOccurrence, recurrenceColumns } from "../jobs/occurrence.tsx";
import { benchmarkStatus, formatProgress, verdictSpace } from "./format-plan.ts";
import { PlanRowActions } from "./plan-actions.tsx";
import { formatUsedThisMonth, PlanBadges } from "./plan-facts.tsx";

// Loads in parallel with the page, because the code of the verdicts is large.
const PlanVerdict = lazyPart(async () => (await import("./plan-verdict.tsx")).PlanVerdict);
const verdictPlace = (
  <div className={verdictSpace}>
    <Skeleton width="100%" height="100%" isExact />
  </div>
);

const tableOptions = {
  columns: columnsFor("viewer"),
  defaultSort: { id: "name", direction: "asc" },
} as const;

interface PlanTableProps {
  readonly plans: readonly BenchmarkPlanRow[];
  readonly status: "ready" | "loading" | "error";
  readonly error: ReactNode;
  readonly empty: ReactNode;
  readonly role: Role;
  readonly onEdit: (plan: BenchmarkPlanRow) => void;
}

/** Lists benchmark schedules, two lines each: last slot, verdict and next run. */
export function PlanTable({ plans, role, onEdit, ...rest }: PlanTableProps) {
  const [state, setState] = useTableState(tableOptions);
  const columns = useMemo(() => columnsFor(role), [role]);
  return (
    <DataTable
      {...rest}
      label="Benchmark schedules"
      columns={columns}
      rows={plans}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/benchmarks/plans/${id}`}
      state={state}
      onStateChange={setState}
      rowActions={(plan) => <PlanRowActions plan={plan} role={role} onEdit={() => onEdit(plan)} />}
      exportName="benchmark-schedules"
      skeletonRowCount={2}
    />
  );
}

function columnsFor(role: Role): Column<BenchmarkPlanRow>[] {
  return [
    textColumn("name", "Schedule", ({ name }) => name, {
      hideable: false,
      cell: (plan) => (
        <span className="inline-flex max-w-56 flex-col items-start gap-1">
          <span className="max-w-full truncate" title={plan.name}>
            {plan.name}
          </span>
          <span className="inline-flex gap-2 empty:hidden">
            <PlanBadges plan={plan} />
          </span>
        </span>
      ),
    }),
    textColumn("state", "Last slot", ({ lastSlot }) => lastSlot?.state, {
      cell: ({ lastSlot }) => (
        <LastOccurrence
          last={
            lastSlot === null ? null : { ...lastSlot, outcome: lastSlot.outcome ?? formatProgress(lastSlot) }
          }
          statusOf={benchmarkStatus}
          isDense
          // Verdicts have three lines, so this cell may have two.
          className="flex-wrap md:w-26"
        />
      ),
    }),
    {
      id: "verdict",
      header: "Verdict",
      cell: ({ id, lastSlot }) => (
        <PlanVerdict planId={id} lastSlot={lastSlot} role={role} isDense fallback={verdictPlace} />
      ),
    },
    textColumn("endpoints", "Endpoints", ({ endpoints }) => endpoints.map(({ name }) => name).join(", "), {
      hiddenAtFirst: true,
      cell: ({ endpoints }) => (
        <span className="block max-w-44 truncate">{endpoints.map(({ name }) => name).join(", ")}</span>
      ),
    }),
    ...recurrenceColumns<BenchmarkPlanRow>(({ isPaused }) => isPaused),
    textColumn(
      "used",
      "This month",
      ({ spentThisMonth, writtenBytesThisMonth }) => spentThisMonth ?? writtenBytesThisMonth,
      {
        title: "Spent or written this month",
        filterable: false,
        cell: (plan) => (
          <span className="block max-w-40 truncate" title={formatUsedThisMonth(plan)}>
            {formatUsedThisMonth(plan)}
          </span>
        ),
      },
    ),
    textColumn("method", "Method", ({ method }) => method.name, {
      hiddenAtFirst: true,
    }),
  ];
}
