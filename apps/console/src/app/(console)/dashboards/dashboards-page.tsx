"use client";
import type { DashboardRow } from "@stashlight/contracts/dashboard";
import { lazyPart, lazyWhenOpen, UiLink } from "@stashlight/ui";
import { Badge, EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LayoutDashboard, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useDialog } from "../../../client/use-dialog.ts";
import { QueryError } from "../query-state.tsx";

const NameDialog = lazyWhenOpen(async () => (await import("../name-dialog.tsx")).NameDialog);
const DashboardMenu = lazyPart(async () => (await import("./dashboard-menu.tsx")).DashboardMenu);

/** The reader's own dashboards, and shared ones. */
export function DashboardsPage() {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const dashboards = useQuery(trpc.dashboard.list.queryOptions());
  const create = useMutation(trpc.dashboard.create.mutationOptions());
  const naming = useDialog<"new">();
  const make = async (name: string) => {
    const { dashboardId } = await create.mutateAsync({ name });
    void queryClient.invalidateQueries(trpc.dashboard.list.queryFilter());
    router.push(`/dashboards/${dashboardId}`);
  };
  const rows = dashboards.data;
  const shared = rows?.filter(({ isOwn }) => !isOwn) ?? [];
  return (
    <Page>
      <PageHeader
        title="Dashboards"
        description="Charts that you want to see side by side. Yours are private until you share them."
        action={
          <Button variant="primary" icon={<Plus aria-hidden="true" />} onClick={() => naming.show("new")}>
            New dashboard
          </Button>
        }
      />
      {rows === undefined && !dashboards.isError && <Skeleton height={160} />}
      {rows === undefined && dashboards.isError && (
        <QueryError
          what="The dashboards"
          error={dashboards.error}
          onRetry={() => void dashboards.refetch()}
        />
      )}
      {rows !== undefined && <Own rows={rows.filter(({ isOwn }) => isOwn)} />}
      {shared.length > 0 && (
        <Section title="Shared by others">
          <List rows={shared} />
        </Section>
      )}
      {renderDialog(naming, (_, shown) => (
        <NameDialog
          title="New dashboard"
          action="Create dashboard"
          label="Name of the dashboard"
          name=""
          {...shown}
          onName={make}
        />
      ))}
    </Page>
  );
}

function Own({ rows }: { rows: readonly DashboardRow[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<LayoutDashboard />}
        title="You have no dashboard yet"
        action={<LinkButton href="/explorer">Open Explorer</LinkButton>}
      >
        Find a chart in the Explorer, or on any page with charts, and choose “Pin to dashboard” in its menu.
      </EmptyState>
    );
  }
  return (
    <Section title="Yours">
      <List rows={rows} />
    </Section>
  );
}

function List({ rows }: { rows: readonly DashboardRow[] }) {
  return (
    <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
      {rows.map((dashboard) => {
        const { id, name, ownerName, isOwn, isShared, isStart, panelCount } = dashboard;
        return (
          <li
            key={id}
            className="flex items-center justify-between gap-2 rounded-md border border-line bg-surface py-2 pr-2 pl-3"
          >
            <div className="min-w-0">
              <UiLink href={`/dashboards/${id}`} className="block truncate font-medium text-ink">
                {name}
              </UiLink>
              <p className="flex flex-wrap items-center gap-x-2 text-sm text-faint">
                {panelCount === 1 ? "1 chart" : `${panelCount} charts`}
                {!isOwn && <span>by {ownerName}</span>}
                {isOwn && isShared && <Badge status="info">Shared</Badge>}
                {isStart && <Badge status="info">Start page</Badge>}
              </p>
            </div>
            {isOwn && <DashboardMenu dashboard={dashboard} fallback={<span className="size-8" />} />}
          </li>
        );
      })}
    </ul>
  );
}
