"use client";
import type { DriveRow } from "@stashlight/contracts/disk";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { lazyWhenOpen } from "@stashlight/ui";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Button, LinkButton } from "@stashlight/ui/form";
import { Page, PageHeader, Section } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { Disc3, Plus } from "lucide-react";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useDialog } from "../../../client/use-dialog.ts";
import type { PlanStart } from "../benchmarks/plan-form.ts";
import { QueryError } from "../query-state.tsx";
import { Converter } from "./converter.tsx";
import { DiskTabs } from "./disk-tabs.tsx";
import { DriveTable } from "./drive-table.tsx";
import { startPlan } from "./plan-start.ts";

const PlanDialog = lazyWhenOpen(async () => (await import("../benchmarks/plan-dialog.tsx")).PlanDialog);

const refetchMs = 15_000;

export function DisksPage({ role }: { role: Role }) {
  const trpc = useTRPC();
  const drives = useQuery(trpc.drive.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  const editor = useDialog<PlanStart>();
  const mayEdit = roleIncludes(role, "operator");
  const measure = (drive: DriveRow | null) => editor.show(startPlan(drive, "disk-sweep"));
  return (
    <Page>
      <PageHeader
        title="Disks"
        description="Drives of the machines on which probes run: how fast they are, and what limits them."
        tabs={<DiskTabs />}
        action={
          mayEdit && (
            <Button variant="primary" icon={<Plus />} onClick={() => measure(null)}>
              New schedule
            </Button>
          )
        }
      />
      {drives.data === undefined && drives.isError && (
        <QueryError what="The drives" error={drives.error} onRetry={() => void drives.refetch()} />
      )}
      {drives.isPending && <Skeleton height={320} />}
      {drives.data?.length === 0 && <NoDrives />}
      {drives.data !== undefined && drives.data.length > 0 && (
        <Section title="Which drives are there, and how fast are they?">
          <DriveTable drives={drives.data} onMeasure={mayEdit ? measure : null} />
        </Section>
      )}
      <Converter />
      {renderDialog(editor, (subject, shown) => (
        <PlanDialog plan={null} start={subject} {...shown} />
      ))}
    </Page>
  );
}

function NoDrives() {
  return (
    <EmptyState
      icon={<Disc3 />}
      title="No probe offers a drive"
      action={<LinkButton href="/admin/nodes">Nodes</LinkButton>}
    >
      Start a probe on the machine with --drives and a file that names the folder and has a “benchmark” with
      the drive’s labels, such as its provider, volume type and price. The drive is listed here as soon as the
      probe reports.
    </EmptyState>
  );
}
