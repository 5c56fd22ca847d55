"use client";
import type { ChannelRow } from "@stashlight/contracts/alert";
import { lazyPart, lazyWhenOpen } from "@stashlight/ui";
import { Button } from "@stashlight/ui/form";
import { Page, PageHeader } from "@stashlight/ui/layout";
import { useQuery } from "@tanstack/react-query";
import { Plus, Send } from "lucide-react";
import { NextStep } from "../../../../client/next-step.tsx";
import { renderDialog } from "../../../../client/render-dialog.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryTable } from "../../query-table.tsx";
import { ChannelMenu } from "./channel-menu.tsx";
import { channelColumns } from "./columns.tsx";
import { deniedStaleMs } from "./denied-address.ts";

const DeniedDestinations = lazyPart(async () => (await import("./denied.tsx")).DeniedDestinations);
const Networks = lazyPart(async () => (await import("./networks.tsx")).Networks);
const ChannelDialog = lazyWhenOpen(async () => (await import("./channel-dialog.tsx")).ChannelDialog);

const refetchMs = 10_000;
const tableOptions = { columns: channelColumns, defaultSort: { id: "name", direction: "asc" } } as const;

export function ChannelsPage() {
  const trpc = useTRPC();
  const channels = useQuery(trpc.channel.list.queryOptions(undefined, { refetchInterval: refetchMs }));
  const denied = useQuery(trpc.channel.listDenied.queryOptions(undefined, { staleTime: deniedStaleMs }));
  const dialog = useDialog<ChannelRow | "new">();
  return (
    <Page>
      <PageHeader
        title="Channels"
        description="Where alert notifications go: a webhook, e-mail, or a service such as Slack, PagerDuty or Microsoft Teams. A channel is notified when an alert fires, when a user acknowledges it, again while it lasts if its rule has a reminder, and when it resolves."
        action={
          <Button variant="primary" icon={<Plus />} onClick={() => dialog.show("new")}>
            New channel
          </Button>
        }
      />
      <QueryTable
        label="Channels"
        rows={channels.data ?? []}
        rowKey={(channel) => channel.id}
        table={tableOptions}
        query={channels}
        what="The channels"
        empty={
          <NextStep
            icon={<Send />}
            title="No channels yet"
            step={{ label: "Create the first channel", onTake: () => dialog.show("new") }}
          >
            Alerts appear only on the Alerts page. Select “New channel” to create a default channel, which
            every rule without its own channels notifies.
          </NextStep>
        }
        rowActions={(channel) => <ChannelMenu channel={channel} onEdit={dialog.show} />}
        skeletonRowCount={2}
      />
      <DeniedDestinations denied={denied} what="channel" canAllow />
      <Networks />
      {renderDialog(dialog, (subject, shown) => (
        <ChannelDialog channel={subject === "new" ? null : subject} {...shown} />
      ))}
    </Page>
  );
}
