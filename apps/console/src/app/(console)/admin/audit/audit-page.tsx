"use client";
import type { AuditRow } from "@stashlight/contracts/audit";
import { lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import { TimeRangePicker } from "@stashlight/ui/time-range";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { readTimeRange } from "../../../../client/read-time-range.ts";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTableState, useTimeRange } from "../../../../client/url-state.ts";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { auditColumns } from "./columns.tsx";
import { useActionFilter, useAuditEvents, useAuditFilter } from "./use-audit-events.ts";
import { useVerification } from "./verification.tsx";

// Loads in parallel with the page, which reserves a line above the table for it.
const AuditToolbar = lazyPart(async () => (await import("./audit-toolbar.tsx")).AuditToolbar);
AuditToolbar.preload();
const EventDialog = lazyWhenOpen(async () => (await import("./event-dialog.tsx")).EventDialog);

const tableOptions = { columns: auditColumns };

export function AuditPage() {
  const range = useTimeRange();
  const [action, setAction] = useActionFilter();
  const [state, setState] = useTableState(tableOptions);
  const { filter, refresh } = useAuditFilter({ range: range.value, action, text: state.filter });
  const events = useAuditEvents(filter);
  const rows = useMemo(() => events.data?.pages.flatMap((page) => page.rows) ?? [], [events.data]);
  const verification = useVerification(refresh);
  const dialog = useDialog<AuditRow>();
  const hasFailed = events.isError && events.data === undefined;
  return (
    <Page>
      <PageHeader
        title="Audit log"
        description="Every change, who made it and from where. Each event carries the hash of the one before it."
        action={verification.button}
        timeRange={
          <TimeRangePicker
            value={range.value}
            resolve={readTimeRange}
            onChange={(next) => {
              range.setValue(next);
              refresh();
            }}
          />
        }
      />
      <div className="flex min-w-0 flex-col">
        {verification.result}
        <DataTable
          label="Audit log"
          columns={auditColumns}
          rows={rows}
          rowKey={(event) => String(event.sequence)}
          state={state}
          onStateChange={setState}
          status={events.isPending ? "loading" : hasFailed ? "error" : "ready"}
          error={
            <QueryError what="The audit log" error={events.error} onRetry={() => void events.refetch()} />
          }
          empty={<NoEvents filtered={action !== null} onShowAll={() => void setAction(null)} />}
          onRowClick={dialog.show}
          manual
          loadMore={{
            hasMore: events.hasNextPage,
            isLoading: events.isFetchingNextPage,
            onLoadMore: () => void events.fetchNextPage(),
          }}
          toolbar={
            <AuditToolbar
              action={action}
              onActionChange={(next) => void setAction(next)}
              filter={filter}
              isRefreshing={events.isRefetching}
              onRefresh={refresh}
              fallback={<Skeleton width={480} height={32} />}
            />
          }
        />
      </div>
      {renderDialog(dialog, (subject, shown) => (
        <EventDialog event={subject} {...shown} />
      ))}
    </Page>
  );
}

function NoEvents({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  if (filtered) {
    return (
      <EmptyState
        icon={<ScrollText />}
        title="No matching events in this time range"
        action={<Button onClick={onShowAll}>Show every action</Button>}
      >
        No event in the time range has this action. Choose a longer range or another action.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<ScrollText />} title="No events in this time range">
      Sign-ins, invitations, role changes, settings and manual runs are recorded here. Choose a longer time
      range to see earlier events.
    </EmptyState>
  );
}
