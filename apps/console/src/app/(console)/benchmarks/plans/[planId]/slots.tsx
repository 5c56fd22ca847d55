"use client";
import type { BenchmarkRunState, BenchmarkSlotRow } from "@stashlight/contracts/benchmark";
import type { TimeRangeExpressions } from "@stashlight/contracts/time";
import { UiLink } from "@stashlight/ui";
import { textColumn } from "@stashlight/ui/columns";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import type { ReactNode } from "react";
import { NextStep, useLongerRange } from "../../../../../client/next-step.tsx";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { useInstants } from "../../../../../client/use-instants.ts";
import { occurrenceColumns } from "../../../jobs/occurrence.tsx";
import { QueryTable } from "../../../query-table.tsx";
import { benchmarkStatus, formatRun } from "../../format-plan.ts";

const busyRefetchMs = 1_000;
const idleRefetchMs = 15_000;
const slotCountMax = 500;

const { planned, state, started, duration, outcome } = occurrenceColumns<BenchmarkRunState, BenchmarkSlotRow>(
  benchmarkStatus,
);

const columns: Column<BenchmarkSlotRow>[] = [
  planned,
  textColumn("trigger", "Trigger", (slot) => (slot.trigger === "schedule" ? "Schedule" : "Manual")),
  state,
  outcome,
  textColumn(
    "runs",
    "Endpoints",
    (slot) => slot.runs.map((run) => `${run.endpointName}: ${formatRun(run)}`).join("; "),
    {
      sortable: false,
      cell: (slot) =>
        slot.runs.length === 0 ? (
          <span className="text-faint">–</span>
        ) : (
          <ul className="min-w-64 py-1 whitespace-normal">
            {slot.runs.map((run) => (
              <li key={run.id}>
                <UiLink href={`/benchmarks/runs/${run.id}`}>{run.endpointName}</UiLink>:{" "}
                <span className="text-muted">{formatRun(run)}</span>
              </li>
            ))}
          </ul>
        ),
    },
  ),
  started,
  duration,
];

const tableOptions = { columns, defaultSort: { id: "planned", direction: "desc" } } as const;

interface SlotsProps {
  planId: string;
  range: TimeRangeExpressions;
  isBusy: boolean;
  picker: ReactNode;
}

/** Lists every occurrence of the schedule: measured, missed, or skipped with the reason. */
export function Slots({ planId, range, isBusy, picker }: SlotsProps) {
  const longer = useLongerRange();
  const trpc = useTRPC();
  const instants = useInstants(range);
  const slots = useQuery(
    trpc.benchmarkRun.listSlots.queryOptions(
      { planId, ...instants, pageSize: slotCountMax },
      { placeholderData: keepPreviousData, refetchInterval: isBusy ? busyRefetchMs : idleRefetchMs },
    ),
  );
  const rows = slots.data ?? [];
  return (
    <Section
      title="Slots"
      description={
        rows.length >= slotCountMax
          ? `The newest ${slotCountMax} slots of the range. Choose a shorter range to see the others.`
          : "Every planned time and its outcome. The runs of a slot are compared with each other."
      }
      actions={picker}
    >
      <QueryTable
        label="Slots"
        rows={rows}
        rowKey={(slot) => String(slot.plannedAt.getTime())}
        table={tableOptions}
        query={slots}
        what="The slots"
        empty={
          <NextStep icon={<History />} title="No slots in this time range" step={longer}>
            A slot is listed here from the moment it is due. Select “Run now” to start one at once.
          </NextStep>
        }
        exportName="slots"
        skeletonRowCount={4}
      />
    </Section>
  );
}
