"use client";
import { UrlTable, type UrlTableProps } from "../../client/url-table.tsx";
import { QueryError } from "./query-state.tsx";

interface Query {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** A table of a query's rows, with its loading and error states. `what` names the rows in a message: "The users". */
export function QueryTable<Row extends object>({
  query,
  what,
  ...props
}: Omit<UrlTableProps<Row>, "status" | "error"> & { readonly query: Query; readonly what: string }) {
  const hasFailed = query.isError && query.data === undefined;
  return (
    <UrlTable<Row>
      {...(props as UrlTableProps<Row>)}
      status={query.isPending ? "loading" : hasFailed ? "error" : "ready"}
      error={<QueryError what={what} error={query.error} onRetry={() => void query.refetch()} />}
    />
  );
}
