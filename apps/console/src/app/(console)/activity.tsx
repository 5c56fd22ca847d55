"use client";
import { type AuditRow, auditActions } from "@stashlight/contracts/audit";
import type { Role } from "@stashlight/contracts/user";
import { Time } from "@stashlight/ui/data";
import { Badge, EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CalendarClock, ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import { runStatus } from "../../client/runs.ts";
import { useTRPC } from "../../client/trpc.tsx";
import { useInstants } from "../../client/use-instants.ts";
import { QueryError } from "./query-state.tsx";

const listLength = 8;
const rowClass = "normal-nums flex h-8 min-w-0 items-center gap-3 border-t border-line px-3 first:border-t-0";

/** Lists events in the page's time range: job runs for every reader, changes for admins only. */
export function Activity({ role, range }: { role: Role; range: { from: string; to: string } }) {
  const instants = useInstants(range);
  return (
    <div className="grid gap-6 xl:grid-cols-2">
      <RecentRuns {...instants} />
      {role === "admin" && <RecentChanges {...instants} />}
    </div>
  );
}

interface Instants {
  fromMs: number;
  toMs: number;
}

function RecentRuns(instants: Instants) {
  const trpc = useTRPC();
  const runs = useQuery(
    trpc.schedule.listRuns.queryOptions(
      { ...instants, withoutRollUps: true, pageSize: listLength },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <RecentList
      title="Recent jobs"
      href="/jobs"
      linkLabel="All jobs"
      what="The runs of jobs"
      query={runs}
      rows={runs.data}
      empty={
        <EmptyState icon={<CalendarClock />} title="No jobs other than the roll-up in this time range">
          The roll-up of metrics runs every minute and is left out here; housekeeping runs every hour. Choose
          a longer time range to see it.
        </EmptyState>
      }
      row={(run) => (
        <li key={`${run.scheduleId} ${run.plannedAt.getTime()}`} className={rowClass}>
          <Badge status={runStatus[run.state]}>{run.state}</Badge>
          <span
            className="min-w-0 flex-1 truncate"
            title={run.outcome === null ? run.scheduleName : `${run.scheduleName}: ${run.outcome}`}
          >
            {run.scheduleName} <span className="text-faint">{run.outcome}</span>
          </span>
          <Time
            value={run.finishedAt ?? run.startedAt ?? run.plannedAt}
            show="age"
            className="shrink-0 text-faint"
          />
        </li>
      )}
    />
  );
}

function RecentChanges(instants: Instants) {
  const trpc = useTRPC();
  const events = useQuery(
    trpc.audit.list.queryOptions(
      { ...instants, pageSize: listLength },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <RecentList
      title="Recent changes"
      href="/admin/audit"
      linkLabel="Audit log"
      what="The audit log"
      query={events}
      rows={events.data?.rows}
      empty={
        <EmptyState icon={<ScrollText />} title="No changes in this time range">
          Sign-ins, invitations, role changes and settings appear here as they happen.
        </EmptyState>
      }
      row={(event) => (
        <li key={event.sequence} className={rowClass}>
          <span className="min-w-0 flex-1 truncate" title={`${event.actorName} ${describeChange(event)}`}>
            <span className="text-ink">{event.actorName}</span>{" "}
            <span className="text-muted">{describeChange(event)}</span>
          </span>
          <Time value={event.occurredAt} show="age" className="shrink-0 text-faint" />
        </li>
      )}
    />
  );
}

const describeChange = ({ action, targetName }: Pick<AuditRow, "action" | "targetName">): string =>
  targetName === null ? auditActions[action] : `${auditActions[action]} · ${targetName}`;

interface RecentListProps<Row> {
  title: string;
  /** Page with the complete list. */
  href: string;
  linkLabel: string;
  /** Start of the sentence shown on an error. */
  what: string;
  query: { isError: boolean; error: unknown; refetch: () => unknown };
  /** Undefined while loading. */
  rows: readonly Row[] | undefined;
  empty: ReactNode;
  row: (row: Row) => ReactNode;
}

/** Lists the newest items, with a link to the page that has all of them. */
function RecentList<Row>({ title, href, linkLabel, ...list }: RecentListProps<Row>) {
  return (
    <Section
      title={title}
      actions={
        <LinkButton href={href} variant="quiet" size="sm">
          {linkLabel}
        </LinkButton>
      }
    >
      <Rows {...list} />
    </Section>
  );
}

type RowsProps<Row> = Pick<RecentListProps<Row>, "what" | "query" | "rows" | "empty" | "row">;

function Rows<Row>({ what, query, rows, empty, row }: RowsProps<Row>) {
  if (rows === undefined && query.isError) {
    return <QueryError what={what} error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (rows === undefined) return <Skeleton width="100%" height={32 * listLength} />;
  if (rows.length === 0) return empty;
  return <ul className="overflow-hidden rounded-md border border-line bg-surface">{rows.map(row)}</ul>;
}
