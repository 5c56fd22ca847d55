"use client";
import type { ChannelRow, OutboundNetworkRow } from "@stashlight/contracts/alert";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Badge, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { channelDestination, channelState, kindLabels } from "./channel-labels.ts";

export const channelColumns: Column<ChannelRow>[] = [
  textColumn("name", "Name", (channel) => channel.name, {
    hideable: false,
    cell: (channel) => (
      <span className="inline-flex items-center gap-2">
        <span className="font-medium">{channel.name}</span>
        {channel.isDefault && <Badge>default</Badge>}
      </span>
    ),
  }),
  textColumn("state", "State", (channel) => channelState(channel).label, {
    cell: (channel) => {
      const { label, status } = channelState(channel);
      return <StatusDot status={status} label={label} />;
    },
  }),
  { id: "kind", header: "Kind", value: (channel) => kindLabels[channel.kind] },
  { id: "to", header: "To", value: channelDestination },
  textColumn("secret", "Secret", (channel) => channel.secretHint, {
    cell: (channel) =>
      channel.secretHint === null ? (
        <span className="text-faint">–</span>
      ) : (
        <span className="font-mono text-sm">…{channel.secretHint}</span>
      ),
  }),
  timeColumn(
    "told",
    "Last notified",
    (channel) => channel.lastDeliveredAt,
    { show: "relative", missing: "never" },
    { filterable: false },
  ),
  numberColumn("waiting", "Waiting", (channel) => channel.waitingCount, { title: "Waiting messages" }),
  textColumn("error", "Last failure", (channel) => channel.lastError, {
    cell: (channel) => <span className="block min-w-40 whitespace-normal">{channel.lastError ?? "–"}</span>,
  }),
];

export const networkColumns: Column<OutboundNetworkRow>[] = [
  textColumn("cidr", "Network", ({ cidr }) => cidr, {
    hideable: false,
    cell: ({ cidr }) => <code className="font-mono text-sm">{cidr}</code>,
  }),
  { id: "by", header: "Allowed by", value: ({ createdBy }) => createdBy },
  timeColumn("since", "Since", ({ createdAt }) => createdAt),
];
