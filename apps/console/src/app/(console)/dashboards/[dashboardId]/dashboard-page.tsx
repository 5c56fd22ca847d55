"use client";
import type { DashboardDetail } from "@stashlight/contracts/dashboard";
import { lazyPart } from "@stashlight/ui";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { LinkButton } from "@stashlight/ui/form";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { LayoutDashboard } from "lucide-react";
import { useRouter } from "next/navigation";
import { toProblem } from "../../../../client/errors.ts";
import { usePageTitle } from "../../../../client/page-title.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { MetricPage } from "../../charts/metric-page.tsx";
import { QueryError } from "../../query-state.tsx";

// Loads the metric catalogue, which panels need, in parallel with the page instead of before it.
const DashboardPanels = lazyPart(async () => (await import("./panels.tsx")).DashboardPanels);
DashboardPanels.preload();
const DashboardOwner = lazyPart(async () => (await import("./dashboard-owner.tsx")).DashboardOwner);

/** Polls for changes by others and for deletion. */
const REFETCH_MS = 10_000;

/** A user's own charts, at one time range and for the chosen vaults. */
export function DashboardPage({ dashboardId }: { dashboardId: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { data, error, refetch } = useQuery(
    trpc.dashboard.get.queryOptions(
      { dashboardId },
      {
        refetchInterval: REFETCH_MS,
        placeholderData: keepPreviousData,
        retry: (count, failure) => count < 2 && isTransient(failure),
      },
    ),
  );
  const isGone = error !== null && !isTransient(error);
  usePageTitle(data === undefined || isGone ? null : data.name);
  return (
    <MetricPage title={data === undefined || isGone ? "Dashboard" : data.name}>
      {isGone && <Gone reason={toProblem(error).message} />}
      {!isGone && data === undefined && error === null && <Skeleton height={360} />}
      {!isGone && data === undefined && error !== null && (
        <QueryError what="The dashboard" error={error} onRetry={() => void refetch()} />
      )}
      {!isGone && data !== undefined && (
        <>
          <DashboardOwner dashboard={data} onDeleted={() => router.push("/dashboards")} />
          <Charts dashboard={data} />
        </>
      )}
    </MetricPage>
  );
}

/** Errors that a retry may fix. */
const isTransient = (error: unknown): boolean =>
  !["not_found", "forbidden", "invalid_input"].includes(toProblem(error).reason);

function Charts({ dashboard }: { dashboard: DashboardDetail }) {
  if (dashboard.panels.length > 0)
    return <DashboardPanels dashboard={dashboard} fallback={<Skeleton height={360} />} />;
  return (
    <EmptyState
      icon={<LayoutDashboard />}
      title="Nothing is pinned here yet"
      action={dashboard.isOwn && <LinkButton href="/explorer">Open Explorer</LinkButton>}
    >
      {dashboard.isOwn
        ? "Find a chart in the Explorer, or on any page with charts, and choose “Pin to dashboard” in its menu."
        : `${dashboard.ownerName} has not pinned a chart to it.`}
    </EmptyState>
  );
}

function Gone({ reason }: { reason: string }) {
  return (
    <EmptyState
      icon={<LayoutDashboard />}
      title="This dashboard does not exist"
      action={
        <>
          <LinkButton href="/dashboards">All dashboards</LinkButton>
          <LinkButton href="/overview">Overview</LinkButton>
        </>
      }
    >
      {reason}
    </EmptyState>
  );
}
