"use client";
import { numberColumn, timeColumn } from "@stashlight/ui/columns";
import { Bytes, Time } from "@stashlight/ui/data";
import { Callout, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { QueryError } from "../query-state.tsx";
import { type LostObjectRow, lostObjectRows, summariseLost } from "./lost-objects.ts";

const TITLE = "Objects that cannot be read";
const REFETCH_MS = 30_000;

const columns: Column<LostObjectRow>[] = [
  { id: "object", header: "Object", hideable: false, value: ({ name }) => name },
  numberColumn("size", "Size", ({ sizeBytes }) => sizeBytes, {
    title: "Size, bytes",
    cell: ({ sizeBytes }) => <Bytes value={sizeBytes} />,
  }),
  timeColumn(
    "since",
    "Since",
    ({ since }) => since,
    { show: "relative" },
    { title: "When a coordinator first found the object in this state", filterable: false },
  ),
  { id: "why", header: "Why", value: ({ why }) => why },
];
const tableOptions = {
  columns,
  defaultSort: { id: "since", direction: "desc" },
  prefix: "lost-",
} as const;

/** Lists the objects of a vault that exist but cannot be read, as its coordinators report. */
export function LostObjectsSection({ vault }: { vault: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.vault.listLostObjects.queryOptions({ vault }, { refetchInterval: REFETCH_MS }),
  );
  const rows = useMemo(() => lostObjectRows(data?.objects ?? []), [data]);
  if (data === undefined) {
    return (
      <Section title={TITLE}>
        {error === null ? (
          <Skeleton height={44} />
        ) : (
          <QueryError what={TITLE} error={error} onRetry={() => void refetch()} />
        )}
      </Section>
    );
  }
  const { status, title, detail } = summariseLost(data);
  return (
    <Section title={TITLE}>
      <Callout status={status} title={title}>
        {detail}
        {data.reportedAt !== null && (
          <>
            {" "}
            Reported <Time value={data.reportedAt} show="age" />.
          </>
        )}
      </Callout>
      {rows.length > 0 && (
        <UrlTable
          label="Lost objects"
          rows={rows}
          rowKey={({ id }) => id}
          table={tableOptions}
          empty="No object matches the filter."
          exportName={`lost-objects-${vault}`}
        />
      )}
      {rows.length > 0 && rows.length < data.total && (
        <p className="text-sm text-muted">
          The newest {rows.length} of {data.total} are listed; vault lost lists more.
        </p>
      )}
    </Section>
  );
}
