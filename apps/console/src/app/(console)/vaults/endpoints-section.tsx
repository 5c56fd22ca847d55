"use client";
import { UiLink } from "@stashlight/ui";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { Bytes } from "@stashlight/ui/data";
import { StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useMemo } from "react";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { UrlTable } from "../../../client/url-table.tsx";
import { Caveats } from "../charts/caveats.tsx";
import { type EndpointVault, endpointSelections, endpointVaults, statesInWords } from "./endpoints.ts";
import { usePlaceHref } from "./use-place.ts";

const percent = (share: number | null): number | null =>
  share === null ? null : Number((share * 100).toFixed(1));
const shown = (share: number | null): string => (share === null ? "–" : `${percent(share)} %`);
const takenShare = ({ freeBytes, capacityBytes }: EndpointVault): number | null =>
  freeBytes === null || capacityBytes === null || capacityBytes <= 0
    ? null
    : Math.max(0, 1 - freeBytes / capacityBytes);

const columns: Column<EndpointVault>[] = [
  { id: "vault", header: "Vault", hideable: false, value: ({ vault }) => vault },
  { id: "endpoint", header: "Endpoint of", value: ({ endpoint }) => endpoint },
  textColumn("state", "New keys", ({ state }) => statesInWords[state].word, {
    cell: ({ state }) => {
      const { status, word, why } = statesInWords[state];
      return (
        <span title={why}>
          <StatusDot status={status} label={word} />
        </span>
      );
    },
  }),
  numberColumn("share", "Share", ({ newKeysShare }) => percent(newKeysShare), {
    title: "Share of new keys, %",
    cell: ({ newKeysShare }) => shown(newKeysShare),
  }),
  numberColumn("free", "Free", ({ freeBytes }) => freeBytes, {
    title: "Free space for objects, bytes",
    cell: ({ freeBytes }) => <Bytes value={freeBytes} />,
  }),
  numberColumn("capacity", "Capacity", ({ capacityBytes }) => capacityBytes, {
    title: "Capacity for objects, bytes",
    cell: ({ capacityBytes }) => <Bytes value={capacityBytes} />,
  }),
  numberColumn("taken", "Taken", (row) => percent(takenShare(row)), {
    title: "Used share of the capacity, %",
    cell: (row) => shown(takenShare(row)),
  }),
  numberColumn("epoch", "Epoch", ({ epoch }) => epoch, {
    title: "Number of the epoch that spreads new keys",
    cell: ({ epoch }) => epoch ?? "–",
  }),
  numberColumn("epochs", "Epochs kept", ({ epochsShare }) => percent(epochsShare), {
    title: "Epochs kept by coordinators, % of their limit",
    cell: ({ epochsShare }) => shown(epochsShare),
  }),
];

const tableOptions = {
  columns,
  defaultSort: { id: "endpoint", direction: "asc" },
  prefix: "endpoint-",
} as const;

/**
 * Lists the vaults behind endpoints with several vaults; renders nothing if there is no such endpoint. `vault`
 * restricts the list to that vault's endpoint.
 */
export function Endpoints({ vault }: { vault?: string | undefined }) {
  const href = usePlaceHref();
  const { answers } = useMetrics(endpointSelections);
  const rows = useMemo(() => {
    const all = endpointVaults(answers ?? []);
    if (vault === undefined) return all;
    const own = all.find((row) => row.vault === vault)?.endpoint;
    return all.filter(({ endpoint }) => endpoint === own);
  }, [answers, vault]);
  if (rows.length === 0) return null;
  return (
    <Section
      title="Which vault takes new keys?"
      description={
        <>
          Vaults behind one S3 address. New keys are spread by free space; stored objects stay where they are.
          The{" "}
          <UiLink href="/planner" className="underline">
            planner
          </UiLink>{" "}
          shows when the next vault is due.
        </>
      }
    >
      <UrlTable
        label="Vaults behind one endpoint"
        rows={rows}
        rowKey={({ endpoint, vault: name }) => `${endpoint} ${name}`}
        rowHref={({ vault: name }) => href({ vault: name })}
        table={tableOptions}
        empty={null}
        exportName="endpoint-vaults"
      />
      <Caveats origins={answers} />
    </Section>
  );
}
