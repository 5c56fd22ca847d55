"use client";
import type { EnrolmentTokenRow } from "@stashlight/contracts/node";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Bytes, CopyableId } from "@stashlight/ui/data";
import { Badge } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { nodeStates } from "../../../../client/nodes.ts";
import { ClockSkew } from "../../clock-skew.tsx";
import { NodeStateChip } from "./node-state.tsx";
import type { ListedNode } from "./use-nodes.ts";

export const nodeColumns: Column<ListedNode>[] = [
  textColumn("name", "Name", (node) => node.name, {
    hideable: false,
    cell: (node) => (
      <span className="inline-flex items-center gap-2">
        <span className="font-medium">{node.name}</span>
        {node.isSimulated && <Badge>simulated</Badge>}
      </span>
    ),
  }),
  textColumn("state", "State", (node) => nodeStates[node.state].label, {
    cell: (node) => <NodeStateChip state={node.state} />,
  }),
  timeColumn(
    "seen",
    "Last seen",
    (node) => node.lastSeenAt,
    { show: "relative", missing: "never" },
    { filterable: false },
  ),
  { id: "vault", header: "Vault", value: (node) => node.vault },
  textColumn("role", "Role", (node) => node.role, {
    cell: (node) => <Badge className="capitalize">{node.role}</Badge>,
  }),
  { id: "version", header: "Version", value: (node) => node.agentVersion },
  numberColumn("skew", "Clock ahead", (node) => node.skewMs, {
    title: "Clock ahead, ms",
    cell: (node) => <ClockSkew skewMs={node.skewMs} />,
  }),
  numberColumn("spool", "Spool", (node) => node.spoolBytes, {
    title: "Spool, bytes",
    cell: (node) => <Bytes value={node.spoolBytes} />,
  }),
  textColumn("enrolled", "Enrolled", (node) => node.createdAt, {
    hiddenAtFirst: true,
    filterable: false,
  }),
  textColumn("id", "ID", (node) => node.id, {
    hiddenAtFirst: true,
    cell: (node) => <CopyableId value={node.id} chars={8} />,
  }),
];

const tokenRights = ({ isAutoApproved, mayReplace, isSimulated }: EnrolmentTokenRow) =>
  [isAutoApproved && "auto-approve", mayReplace && "replace nodes", isSimulated && "simulated"]
    .filter((right) => right !== false)
    .join(", ");

export const tokenColumns: Column<EnrolmentTokenRow>[] = [
  textColumn("token", "Token", (token) => `…${token.lastCharacters}`, {
    hideable: false,
    cell: (token) => <span className="font-mono text-sm">…{token.lastCharacters}</span>,
  }),
  { id: "vault", header: "Vault", value: (token) => token.vault },
  textColumn("role", "Role", (token) => token.role, {
    cell: (token) => <Badge className="capitalize">{token.role}</Badge>,
  }),
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
