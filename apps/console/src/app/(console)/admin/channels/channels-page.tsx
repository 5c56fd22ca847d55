"use client";
import type { ChannelRow } from "@stashlight/contracts";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import { useQuery } from "@tanstack/react-query";
import { Plus, Send } from "lucide-react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useTableState } from "../../../../client/url-state.ts";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { ChannelDialog } from "./channel-dialog.tsx";
import { ChannelMenu } from "./channel-menu.tsx";
import { channelColumns } from "./columns.tsx";
import { Networks } from "./networks.tsx";

const refetchMs = 10_000;
const tableOptions = { columns: channelColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function ChannelsPage() {
  const trpc = useTRPC();
  const channels = useQuery(trpc.channel.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  const [state, setState] = useTableState(tableOptions);
  const dialog = useDialog<ChannelRow | "new">();
  const hasFailed = channels.isError && channels.data === undefined;
  return (
    <Page>
      <PageHeader
        title="Channels"
        description="Where alerts are told: a webhook, Slack or what understands its messages, or e-mail. A channel hears when one fires, again while it goes on if its rule says so, and when it is over."
        action={
          <Button variant="primary" icon={<Plus />} onClick={() => dialog.show("new")}>
            New channel
          </Button>
        }
      />
      <DataTable
        label="Channels"
        columns={channelColumns}
        rows={channels.data ?? []}
        rowKey={(channel) => channel.id}
        state={state}
        onStateChange={setState}
        status={channels.isPending ? "loading" : hasFailed ? "error" : "ready"}
        error={
          <QueryError what="The channels" error={channels.error} onRetry={() => void channels.refetch()} />
        }
        empty={
          <EmptyState icon={<Send />} title="Nobody is told yet">
            Alerts show on their page, and nowhere else. “New channel” makes one that every rule without a
            channel of its own tells.
          </EmptyState>
        }
        rowActions={(channel) => <ChannelMenu channel={channel} onEdit={dialog.show} />}
        skeletonRowCount={2}
      />
      {!channels.isPending && <Networks />}
      {dialog.subject !== null && (
        <ChannelDialog
          key={dialog.key}
          channel={dialog.subject === "new" ? null : dialog.subject}
          open={dialog.open}
          onOpenChange={dialog.setOpen}
        />
      )}
    </Page>
  );
}
