"use client";
import type { NodeDelivery, NodeGap, RefusedValues, TelemetryHealth } from "@stashlight/contracts/node";
import { formatCount, formatSpan } from "@stashlight/ui";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Bytes } from "@stashlight/ui/data";
import { Badge, EmptyState, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { CircleCheck, Server } from "lucide-react";
import { useMemo } from "react";
import { gapWords } from "../../../client/metrics/to-chart.ts";
import { NextStep } from "../../../client/next-step.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { ClockSkew } from "../clock-skew.tsx";
import { type Lag, nodeLag } from "./lag.ts";

function NodeName({ name, isSimulated }: { name: string; isSimulated: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span>{name}</span>
      {isSimulated && <Badge>simulated</Badge>}
    </span>
  );
}

type ListedNode = NodeDelivery & { readonly lag: Lag };

const nodeColumns: Column<ListedNode>[] = [
  textColumn("name", "Node", ({ name }) => name, {
    hideable: false,
    cell: ({ name, isSimulated }) => <NodeName name={name} isSimulated={isSimulated} />,
  }),
  textColumn("state", "State", ({ lag }) => lag.words, {
    cell: ({ lag }) => <StatusDot status={lag.status} label={lag.words} />,
  }),
  numberColumn("lag", "Lag", ({ lag }) => (lag.ms === null ? null : Math.round(lag.ms / 1_000)), {
    title: "Lag: since the end of its newest window, s",
    cell: ({ lag }) => (lag.ms === null ? "–" : formatSpan(lag.ms)),
  }),
  numberColumn("spool", "Spool", ({ spoolBytes }) => spoolBytes, {
    title: "Spool, bytes that wait on its disk",
    cell: ({ spoolBytes }) => <Bytes value={spoolBytes} />,
  }),
  numberColumn("skew", "Clock ahead", ({ skewMs }) => skewMs, {
    title: "Clock ahead, ms",
    cell: ({ skewMs }) => <ClockSkew skewMs={skewMs} />,
  }),
  numberColumn("refused", "Refused", ({ refusedCount }) => refusedCount, {
    title: "Values refused in total",
    cell: ({ refusedCount }) => formatCount(refusedCount),
  }),
  { id: "vault", header: "Vault", hiddenAtFirst: true, value: ({ vault }) => vault },
  { id: "role", header: "Role", value: ({ role }) => role },
];

const nodeOptions = { columns: nodeColumns, defaultSort: { id: "lag", direction: "desc" } } as const;

export function NodeTable({ health, nowMs }: { health: TelemetryHealth; nowMs: number }) {
  const rows = useMemo(
    () => health.nodes.map((node): ListedNode => ({ ...node, lag: nodeLag(node, nowMs) })),
    [health.nodes, nowMs],
  );
  return (
    <UrlTable
      label="Delivery of each node"
      table={nodeOptions}
      rows={rows}
      rowKey={({ id }) => id}
      empty={
        <NextStep icon={<Server />} title="No nodes enrolled" step={{ label: "Vaults", href: "/vaults" }}>
          An admin enrols nodes under Manage, Nodes. Their lag then appears here.
        </NextStep>
      }
      pageSize={20}
      exportName="delivery"
    />
  );
}

const refusedColumns: Column<RefusedValues>[] = [
  { id: "reason", header: "Reason", hideable: false, value: ({ reason }) => reason.replaceAll("_", " ") },
  textColumn("metric", "Metric", ({ metric }) => metric, {
    cell: ({ metric }) =>
      metric === "" ? (
        <span className="text-faint">whole windows, or many names</span>
      ) : (
        <code>{metric}</code>
      ),
  }),
  textColumn("node", "Node", ({ nodeName }) => nodeName, {
    cell: ({ nodeName, isSimulated }) => <NodeName name={nodeName} isSimulated={isSimulated} />,
  }),
  numberColumn("count", "Count", ({ count }) => count, { cell: ({ count }) => formatCount(count) }),
  timeColumn("last", "Last", ({ lastAt }) => lastAt, { show: "relative" }, { filterable: false }),
];
const refusedOptions = { columns: refusedColumns, prefix: "refused-" };

export function RefusedTable({ rows }: { rows: RefusedValues[] }) {
  return (
    <UrlTable
      label="Refused values"
      table={refusedOptions}
      rows={rows}
      rowKey={({ nodeName, metric, reason }) => `${nodeName} ${metric} ${reason}`}
      empty={
        <EmptyState icon={<CircleCheck />} title="Nothing was refused">
          Impossible values are left out of their batch and counted here by node, metric and reason.
        </EmptyState>
      }
      filterBox={false}
      pageSize={10}
      exportName="refused-values"
    />
  );
}

const gapColumns: Column<NodeGap>[] = [
  textColumn("node", "Node", ({ nodeName }) => nodeName, {
    hideable: false,
    cell: ({ nodeName, isSimulated }) => <NodeName name={nodeName} isSimulated={isSimulated} />,
  }),
  { id: "reason", header: "Reason", value: ({ reason }) => gapWords[reason] ?? reason.replaceAll("_", " ") },
  timeColumn("from", "From", ({ startAt }) => startAt, {}, { filterable: false }),
  numberColumn(
    "length",
    "Length",
    ({ startAt, endAt }) => Math.round((endAt.getTime() - startAt.getTime()) / 1_000),
    { title: "Length, s", cell: ({ startAt, endAt }) => formatSpan(endAt.getTime() - startAt.getTime()) },
  ),
];
const gapOptions = { columns: gapColumns, prefix: "gap-" };

export function GapTable({ rows }: { rows: NodeGap[] }) {
  return (
    <UrlTable
      label="Gaps of the last two days"
      table={gapOptions}
      rows={rows}
      rowKey={({ nodeName, startAt, endAt, reason }) =>
        `${nodeName} ${startAt.getTime()} ${endAt.getTime()} ${reason}`
      }
      empty={
        <EmptyState icon={<CircleCheck />} title="No gaps">
          When a node has to drop windows, the time is listed here with the reason.
        </EmptyState>
      }
      filterBox={false}
      pageSize={10}
      exportName="gaps"
    />
  );
}
