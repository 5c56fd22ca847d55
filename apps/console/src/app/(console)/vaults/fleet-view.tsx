"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { formatCount, useNow } from "@stashlight/ui";
import { Time } from "@stashlight/ui/data";
import { Badge, EmptyState, StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { Server } from "lucide-react";
import { useMemo } from "react";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTableState } from "../../../client/url-state.ts";
import { UploadPanels } from "../overview/upload-panels.tsx";
import { Endpoints } from "./endpoints-section.tsx";
import { type VaultRow, vaultRows } from "./fleet.ts";
import { usePlaceHref } from "./use-place.ts";

const columns: Column<VaultRow>[] = [
  {
    id: "vault",
    header: "Vault",
    hideable: false,
    value: ({ vault }) => vault,
    cell: ({ vault, isSimulated }) => (
      <span className="flex items-center gap-2">
        {vault}
        {isSimulated && <Badge>simulated</Badge>}
      </span>
    ),
  },
  {
    id: "state",
    header: "State",
    value: (row) => stateOf(row).word,
    cell: (row) => <StatusDot status={stateOf(row).status} label={stateOf(row).word} />,
  },
  { id: "nodes", header: "Nodes", numeric: true, filterable: false, value: ({ nodeCount }) => nodeCount },
  {
    id: "pods",
    header: "Pod nodes",
    numeric: true,
    filterable: false,
    value: ({ podNodeCount }) => podNodeCount,
  },
  {
    id: "stash",
    header: "Stash nodes",
    numeric: true,
    filterable: false,
    value: ({ stashNodeCount }) => stashNodeCount,
  },
  {
    id: "seen",
    header: "Last heard from",
    filterable: false,
    value: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <Time value={lastSeenAt} show="relative" missing="never" />,
  },
];

function stateOf({ silentCount, pendingCount, activeCount }: VaultRow) {
  if (silentCount > 0)
    return { status: "bad", word: `${silentCount} of ${activeCount} nodes silent` } as const;
  if (pendingCount > 0) return { status: "info", word: `${pendingCount} wait for approval` } as const;
  return { status: "good", word: "all nodes report" } as const;
}

const tableOptions = { columns, defaultSort: { id: "vault", direction: "asc" } } as const;
const CLOCK_MS = 5_000;

export function FleetView({ nodes }: { nodes: readonly NodeRow[] }) {
  const [state, setState] = useTableState(tableOptions);
  const href = usePlaceHref();
  const nowMs = useNow(CLOCK_MS) ?? 0;
  const { asked } = useScope();
  const all = useMemo(() => vaultRows(nodes, nowMs), [nodes, nowMs]);
  const rows = useMemo(() => all.filter(({ vault }) => asked?.includes(vault) ?? true), [all, asked]);
  const hiddenCount = all.length - rows.length;
  return (
    <>
      <Section
        title="Vaults in scope"
        {...(hiddenCount > 0
          ? {
              description: `${formatCount(hiddenCount)} more are left out by the scope that is chosen above.`,
            }
          : {})}
      >
        <DataTable
          label="Vaults"
          columns={columns}
          rows={rows}
          rowKey={({ vault }) => vault}
          rowHref={({ vault }) => href({ vault })}
          state={state}
          onStateChange={setState}
          empty={
            <EmptyState icon={<Server />} title="No enrolled nodes">
              Every node was revoked. A vault is listed while one of its nodes is enrolled.
            </EmptyState>
          }
          exportName="vaults"
        />
      </Section>
      <Endpoints />
      <Section title={rows.length === 1 ? "Uploads" : "Uploads of all of them together"}>
        <UploadPanels />
      </Section>
    </>
  );
}
