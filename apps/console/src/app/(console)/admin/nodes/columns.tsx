"use client";
import type { EnrolmentTokenRow } from "@stashlight/contracts/node";
import { numberColumn, timeColumn } from "@stashlight/ui/columns";
import { Bytes, CopyableId } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { nodeStates } from "../../../../client/nodes.ts";
import { ClockSkew } from "../../clock-skew.tsx";
import { NodeStateChip } from "./node-state.tsx";
import type { ListedNode } from "./use-nodes.ts";

export const nodeColumns: Column<ListedNode>[] = [
  {
    id: "name",
    header: "Name",
    hideable: false,
    value: (node) => node.name,
    cell: (node) => (
      <span className="inline-flex items-center gap-2">
        <span className="font-medium">{node.name}</span>
        {node.isSimulated && <Badge>simulated</Badge>}
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    value: (node) => nodeStates[node.state].label,
    cell: (node) => <NodeStateChip state={node.state} />,
  },
  timeColumn(
    "seen",
    "Last seen",
    (node) => node.lastSeenAt,
    { show: "relative", missing: "never" },
    { filterable: false },
  ),
  { id: "vault", header: "Vault", value: (node) => node.vault },
  {
    id: "role",
    header: "Role",
    value: (node) => node.role,
    cell: (node) => <Badge className="capitalize">{node.role}</Badge>,
  },
  { id: "version", header: "Version", value: (node) => node.agentVersion },
  numberColumn("skew", "Clock ahead", (node) => node.skewMs, {
    title: "Clock ahead, ms",
    cell: (node) => <ClockSkew skewMs={node.skewMs} />,
  }),
  numberColumn("spool", "Spool", (node) => node.spoolBytes, {
    title: "Spool, bytes",
    cell: (node) => <Bytes value={node.spoolBytes} />,
  }),
  {
    id: "enrolled",
    header: "Enrolled",
    hiddenAtFirst: true,
    filterable: false,
    value: (node) => node.createdAt,
  },
  {
    id: "id",
    header: "ID",
    hiddenAtFirst: true,
    value: (node) => node.id,
    cell: (node) => <CopyableId value={node.id} chars={8} />,
  },
];

const tokenRights = ({ isAutoApproved, mayReplace, isSimulated }: EnrolmentTokenRow) =>
  [isAutoApproved && "auto-approve", mayReplace && "replace nodes", isSimulated && "simulated"]
    .filter((right) => right !== false)
    .join(", ");

export const tokenColumns: Column<EnrolmentTokenRow>[] = [
  {
    id: "token",
    header: "Token",
    hideable: false,
    value: (token) => `…${token.lastCharacters}`,
    cell: (token) => <span className="font-mono text-sm">…{token.lastCharacters}</span>,
  },
  { id: "vault", header: "Vault", value: (token) => token.vault },
  {
    id: "role",
    header: "Role",
    value: (token) => token.role,
    cell: (token) => <Badge className="capitalize">{token.role}</Badge>,
  },
  {
    id: "uses",
    header: "Nodes enrolled",
    numeric: true,
    value: (token) => token.useCount,
    cell: (token) => (
      <>
        {token.useCount} of {token.useCountMax}
      </>
    ),
  },
  { id: "rights", header: "Rights", value: tokenRights },
  { id: "by", header: "Created by", value: (token) => token.createdBy },
  { id: "expires", header: "Expires", value: (token) => token.expiresAt },
];
