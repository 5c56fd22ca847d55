"use client";
import type { AlertIncidentRow } from "@stashlight/contracts/alert";
import { formatMetricValue } from "@stashlight/contracts/metrics";
import type { TimeRangeExpressions } from "@stashlight/contracts/time";
import { UiLink } from "@stashlight/ui";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { FIRING_REFETCH_MS, severityStatus } from "../../../client/firing-count.ts";
import { NextStep, useLongerRange } from "../../../client/next-step.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { useInstants } from "../../../client/use-instants.ts";
import { QueryTable } from "../query-table.tsx";

const INCIDENT_COUNT_MAX = 500;

/** "Ops, Pager", or the reason that no channel was notified. */
function formatNotified({ notified, mutedBy }: AlertIncidentRow): string {
  const { delivered, waiting, failed } = notified;
  const parts = [
    delivered.length > 0 && delivered.join(", "),
    waiting.length > 0 && `${waiting.join(", ")} waiting`,
    failed.length > 0 && `${failed.join(", ")} failed`,
  ].filter((part) => part !== false);
  return parts.join("; ") || (mutedBy === null ? "no channel" : `no channel: ${mutedBy}`);
}

const columns: Column<AlertIncidentRow>[] = [
  textColumn("summary", "Alert", ({ summary }) => summary, {
    hideable: false,
    sortable: false,
    cell: ({ summary, path, acknowledgement }) => (
      <span className="block whitespace-normal md:min-w-56">
        <UiLink href={path}>{summary}</UiLink>
        {acknowledgement !== null && (
          <span className="block text-muted">Acknowledged by {acknowledgement}</span>
        )}
      </span>
    ),
  }),
  timeColumn("opened", "Opened", ({ openedAt }) => openedAt, {}, { filterable: false }),
  { id: "severity", header: "Severity", hiddenAtFirst: true, value: ({ severity }) => severity },
  { id: "worst", header: "Worst", hiddenAtFirst: true, value: ({ worst }) => worst || null },
  {
    // Row state, which phones show too.
    id: "state",
    header: "Ended",
    filterable: false,
    value: ({ endedAt }) => endedAt,
    cell: ({ endedAt, severity }) =>
      endedAt === null ? <Badge status={severityStatus[severity]}>Firing</Badge> : <Time value={endedAt} />,
  },
  numberColumn("lasted", "Lasted", ({ lastedSeconds }) => lastedSeconds, {
    cell: ({ lastedSeconds }) => formatMetricValue("seconds", Math.round(lastedSeconds)),
  }),
  textColumn("notified", "Notified", formatNotified, {
    cell: (incident) => <span className="block min-w-32 whitespace-normal">{formatNotified(incident)}</span>,
  }),
];

const tableOptions = {
  columns,
  prefix: "history-",
  defaultSort: { id: "opened", direction: "desc" },
} as const;

interface AlertHistoryProps {
  range: TimeRangeExpressions;
  ruleId?: string;
}

/** Incidents open in the page's time range, one per row. */
export function AlertHistory({ range, ruleId }: AlertHistoryProps) {
  const longer = useLongerRange();
  const trpc = useTRPC();
  const instants = useInstants(range);
  const incidents = useQuery(
    trpc.alert.listIncidents.queryOptions(
      { ...instants, pageSize: INCIDENT_COUNT_MAX, ...(ruleId === undefined ? {} : { ruleId }) },
      { placeholderData: keepPreviousData, refetchInterval: FIRING_REFETCH_MS },
    ),
  );
  const rows = incidents.data ?? [];
  return (
    <Section
      title="History"
      {...(rows.length >= INCIDENT_COUNT_MAX
        ? {
            description: `The newest ${INCIDENT_COUNT_MAX} of the range. Choose a shorter range to see the others.`,
          }
        : {})}
    >
      <QueryTable
        label="Alert history"
        rows={rows}
        rowKey={({ id }) => id}
        table={tableOptions}
        query={incidents}
        what="The history"
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
