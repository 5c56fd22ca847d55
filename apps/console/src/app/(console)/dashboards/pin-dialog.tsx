"use client";
import type { DashboardRow } from "@stashlight/contracts/dashboard";
import { Dialog } from "@stashlight/ui/dialog";
import { Skeleton } from "@stashlight/ui/feedback";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { choice, fieldTable, text } from "@stashlight/ui/fields";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import type { Pinned } from "../charts/pin.tsx";
import { QueryError } from "../query-state.tsx";

interface PinDialogProps {
  readonly pinned: Pinned;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Waits for the reader's dashboards, because the form preselects the first one. */
export function PinDialog(props: PinDialogProps) {
  const trpc = useTRPC();
  const dashboards = useQuery(trpc.dashboard.list.queryOptions(undefined, { select: ownDashboards }));
  if (dashboards.data !== undefined) return <PinForm {...props} dashboards={dashboards.data} />;
  return (
    <Dialog {...props} title={title} size="sm">
      {dashboards.isError ? (
        <QueryError
          what="Your dashboards"
          error={dashboards.error}
          onRetry={() => void dashboards.refetch()}
        />
      ) : (
        <Skeleton height={140} />
      )}
    </Dialog>
  );
}

const title = "Pin to dashboard";
const ownDashboards = (rows: DashboardRow[]): DashboardRow[] => rows.filter(({ isOwn }) => isOwn);
const NEW = "new";

const pinFields = fieldTable(
  {
    dashboard: choice<string>("Dashboard", [], { initial: NEW, path: "dashboardId" }),
    name: text("Name of the dashboard", { initial: "My dashboard" }),
    title: text("Title of the chart"),
  },
  { name: ({ dashboard }) => dashboard === NEW },
);

function PinForm({ pinned, dashboards, ...dialog }: PinDialogProps & { dashboards: DashboardRow[] }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const router = useRouter();
  const create = useMutation(trpc.dashboard.create.mutationOptions());
  const pin = useMutation(trpc.dashboard.pinPanel.mutationOptions());
  const form = useForm({
    table: pinFields,
    initial: { ...pinFields.initial, dashboard: dashboards[0]?.id ?? NEW, title: pinned.title },
    send: async (typed) => {
      const known = dashboards.find(({ id }) => id === typed.dashboard);
      const dashboardId = known?.id ?? (await create.mutateAsync({ name: typed.name })).dashboardId;
      const { where, ...panel } = pinned.panel;
      const conditions = Object.entries(where).map(([label, values]) => [label, [...values]]);
      const query = { ...panel, where: Object.fromEntries(conditions) };
      try {
        await pin.mutateAsync({ dashboardId, title: typed.title, query });
      } finally {
        void queryClient.invalidateQueries(trpc.dashboard.pathFilter());
      }
      toast({
        title: "Chart pinned",
        description: `“${typed.title}” is on “${known?.name ?? typed.name}”.`,
        status: "good",
        action: { label: "Open dashboard", run: () => router.push(`/dashboards/${dashboardId}`) },
      });
      dialog.onOpenChange(false);
    },
  });
  const options = [
    ...dashboards.map(({ id, name }) => ({ value: id, label: name })),
    { value: NEW, label: "A new dashboard" },
  ];
  return (
    <FormDialog
      {...dialog}
      form={form}
      title={title}
      description="The chart is kept with its filters; the dashboard has its own time range and choice of vaults."
      action="Pin chart"
      size="sm"
    >
      <FormField form={form} name="dashboard" options={options} />
      <FormField form={form} name="name" />
      <FormField form={form} name="title" />
    </FormDialog>
  );
}
