"use client";
import type { DashboardDetail } from "@stashlight/contracts/dashboard";
import { UiLink } from "@stashlight/ui";
import { Badge } from "@stashlight/ui/feedback";
import { usePageTime } from "../../../../client/metrics/page-time.tsx";
import { DashboardMenu } from "../dashboard-menu.tsx";

interface DashboardOwnerProps {
  readonly dashboard: DashboardDetail;
  readonly onDeleted: () => void;
}

/** Shows the owner and the readers of the dashboard, with links. */
export function DashboardOwner({ dashboard, onDeleted }: DashboardOwnerProps) {
  const { search } = usePageTime();
  const { isOwn, isShared, isStart, ownerName } = dashboard;
  return (
    <div className="-mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted print:hidden">
      {isStart && (
        <span className="flex flex-wrap items-center gap-x-2">
          <Badge status="info">Your start page</Badge>
          <UiLink href={`/overview${search}`}>Go to Overview</UiLink>
        </span>
      )}
      <UiLink href="/dashboards">All dashboards</UiLink>
      {isOwn ? (
        <>
          <span>{isShared ? "Shared: every signed-in user can read it" : "Only you can see it"}</span>
          <DashboardMenu dashboard={dashboard} onDeleted={onDeleted} />
        </>
      ) : (
        <span>Shared by {ownerName}, who alone can change it</span>
      )}
    </div>
  );
}
