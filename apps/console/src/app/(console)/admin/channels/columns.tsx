"use client";
import type { ChannelRow, OutboundNetworkRow } from "@stashlight/contracts/alert/channel";
import { Time } from "@stashlight/ui/data";
import { Badge, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { channelDestination, channelState, kindLabels } from "./channel-labels.ts";

export const channelColumns: Column<ChannelRow>[] = [
  {
    id: "name",
    header: "Name",
    hideable: false,
    value: (channel) => channel.name,
    cell: (channel) => (
      <span className="inline-flex items-center gap-2">
        <span className="font-medium">{channel.name}</span>
        {channel.isDefault && <Badge>default</Badge>}
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    value: (channel) => channelState(channel).label,
    cell: (channel) => {
      const { label, status } = channelState(channel);
      return <StatusDot status={status} label={label} />;
    },
  },
  { id: "kind", header: "Kind", value: (channel) => kindLabels[channel.kind] },
  { id: "to", header: "To", value: channelDestination },
  {
    id: "secret",
    header: "Secret",
    value: (channel) => channel.secretHint,
    cell: (channel) =>
      channel.secretHint === null ? (
        <span className="text-faint">–</span>
      ) : (
        <span className="font-mono text-sm">…{channel.secretHint}</span>
      ),
  },
  {
    id: "told",
    header: "Last notified",
    filterable: false,
    value: (channel) => channel.lastDeliveredAt,
    cell: (channel) => <Time value={channel.lastDeliveredAt} show="relative" missing="never" />,
  },
  {
    id: "waiting",
    header: "Waiting",
    title: "Waiting messages",
    numeric: true,
    filterable: false,
    value: (channel) => channel.waitingCount,
  },
  {
    id: "error",
    header: "Last failure",
    value: (channel) => channel.lastError,
    cell: (channel) => <span className="block min-w-40 whitespace-normal">{channel.lastError ?? "–"}</span>,
  },
];

export const networkColumns: Column<OutboundNetworkRow>[] = [
  {
    id: "cidr",
    header: "Network",
    hideable: false,
    value: ({ cidr }) => cidr,
    cell: ({ cidr }) => <code className="font-mono text-sm">{cidr}</code>,
  },
  { id: "by", header: "Allowed by", value: ({ createdBy }) => createdBy },
  {
    id: "since",
    header: "Since",
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
];
