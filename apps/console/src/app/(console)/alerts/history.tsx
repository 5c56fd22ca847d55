"use client";
import type { AlertEventRow } from "@stashlight/contracts/alert/event";
import type { TimeRangeExpressions } from "@stashlight/contracts/time/range";
import { UiLink } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { eventStatus } from "../../../client/firing-count.ts";
import { NextStep, useLongerRange } from "../../../client/next-step.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { useTableState } from "../../../client/url-state.ts";
import { useInstants } from "../../../client/use-instants.ts";
import { QueryError } from "../query-state.tsx";

const refetchMs = 15_000;
const eventCountMax = 500;

const formatDeliveries = ({ delivered, waiting, failed, mutedBy }: AlertEventRow) =>
  [
    delivered > 0 && `${delivered} notified`,
    waiting > 0 && `${waiting} waiting`,
    failed > 0 && `${failed} failed`,
  ]
    .filter((part) => part !== false)
    .join(", ") || (mutedBy === null ? "nobody" : `nobody: ${mutedBy}`);

const columns: Column<AlertEventRow>[] = [
  {
    id: "at",
    header: "Time",
    hideable: false,
    filterable: false,
    value: (event) => event.occurredAt,
    cell: (event) => <Time value={event.occurredAt} />,
  },
  {
    id: "what",
    header: "Event",
    value: (event) => event.kind,
    cell: (event) => (
      <Badge status={eventStatus(event)} className="capitalize">
        {event.kind}
      </Badge>
    ),
  },
  {
    id: "summary",
    header: "Alert",
    sortable: false,
    value: (event) => event.summary,
    cell: (event) => (
      <UiLink href={event.path} className="block min-w-56 whitespace-normal">
        {event.summary}
      </UiLink>
    ),
  },
  { id: "severity", header: "Severity", hiddenAtFirst: true, value: (event) => event.severity },
  {
    id: "told",
    header: "Channels",
    value: formatDeliveries,
    cell: (event) => <span className="block min-w-32 whitespace-normal">{formatDeliveries(event)}</span>,
  },
];

const tableOptions = {
  columns,
  prefix: "history-",
  defaultSort: { id: "at", direction: "desc" },
} as const;

interface AlertHistoryProps {
  range: TimeRangeExpressions;
  ruleId?: string;
}

/** What began to fire and what was resolved in the page's time. */
export function AlertHistory({ range, ruleId }: AlertHistoryProps) {
  const longer = useLongerRange();
  const trpc = useTRPC();
  const instants = useInstants(range);
  const [state, setState] = useTableState(tableOptions);
  const events = useQuery(
    trpc.alert.listEvents.queryOptions(
      { ...instants, pageSize: eventCountMax, ...(ruleId === undefined ? {} : { ruleId }) },
      { placeholderData: keepPreviousData, refetchInterval: refetchMs },
    ),
  );
  const rows = events.data ?? [];
  return (
    <Section
      title="History"
      {...(rows.length >= eventCountMax
        ? {
            description: `The newest ${eventCountMax} of the range. Choose a shorter range to see the others.`,
          }
        : {})}
    >
      <DataTable
        label="Alert history"
        columns={columns}
        rows={rows}
        rowKey={(event) => event.id}
        state={state}
        onStateChange={setState}
        status={events.isPending ? "loading" : events.isError && !events.data ? "error" : "ready"}
        error={<QueryError what="The history" error={events.error} onRetry={() => void events.refetch()} />}
        empty={
          <NextStep icon={<History />} title="No alerts in this time range" step={longer}>
            Alerts are listed here with their chart and the channels notified. Choose a longer time range to
            see earlier alerts.
          </NextStep>
        }
        exportName="alert-history"
        skeletonRowCount={4}
      />
    </Section>
  );
}
