"use client";
import { type AuditAction, type AuditFilter, auditActions } from "@stashlight/contracts/audit";
import { serverNow } from "@stashlight/ui";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { createApiClient, useTRPC } from "../../../../client/trpc.tsx";
import { resolveTimeRange } from "../../../../client/url-state.ts";

const roundToMs = 60_000;

export const auditActionNames = Object.keys(auditActions) as AuditAction[];

/** Action to filter by, from the URL; null for all. */
export function useActionFilter() {
  return useQueryState("action", parseAsStringLiteral(auditActionNames).withOptions({ history: "push" }));
}

interface FilterInput {
  range: { from: string; to: string };
  action: AuditAction | null;
  text: string;
}

/**
 * The filter with its range as instants. They stay fixed until `refresh`, because a list must not restart while the
 * reader pages through it. The end is rounded up, so that events written at this moment are included.
 */
export function useAuditFilter({ range, action, text }: FilterInput): {
  filter: AuditFilter;
  refresh: () => void;
} {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [nowMs, setNowMs] = useState(() => serverNow());
  const trimmed = text.trim();
  const filter = {
    ...resolveTimeRange(range, Math.ceil((nowMs + 1) / roundToMs) * roundToMs),
    ...(action === null ? {} : { action }),
    ...(trimmed === "" ? {} : { text: trimmed }),
  };
  const refresh = () => {
    setNowMs(serverNow());
    void queryClient.invalidateQueries(trpc.audit.pathFilter());
  };
  return { filter, refresh };
}

/** Returns events page by page, newest first. Keeps the previous list while the first page of another filter loads. */
export function useAuditEvents(filter: AuditFilter) {
  const trpc = useTRPC();
  const [client] = useState(createApiClient);
  return useInfiniteQuery({
    queryKey: [...trpc.audit.pathKey(), "pages", filter],
    queryFn: ({ pageParam, signal }) =>
      client.audit.list.query(
        { ...filter, ...(pageParam === null ? {} : { beforeSequence: pageParam }) },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.nextBeforeSequence,
    placeholderData: keepPreviousData,
  });
}

export function exportHref(filter: AuditFilter, format: "csv" | "json"): string {
  const entries = Object.entries({ format, ...filter }).map(([name, value]) => [name, String(value)]);
  return `/api/audit/export?${new URLSearchParams(entries)}`;
}
