"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import { describeSilence, type NodeRow } from "@stashlight/contracts/node";
import { numberColumn, textColumn, timeColumn } from "@stashlight/ui/columns";
import { Bytes, Time } from "@stashlight/ui/data";
import { Badge, Callout, Skeleton, StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { Server } from "lucide-react";
import { useMemo } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useIsFirstAwaited } from "../../../client/metrics/use-is-first-awaited.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { NextStep } from "../../../client/next-step.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { capacityThreshold, occupancySources, stashCapacity } from "../charts/occupancy.ts";
import { LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";
import { SpaceTiles } from "../charts/space-tiles.tsx";
import { useSilences } from "../charts/use-vault-state.ts";
import { VaultMap } from "../charts/vault-map.tsx";
import { spaceSources, usableThreshold } from "../charts/vault-space.ts";
import type { VaultState } from "../charts/vault-state.ts";
import { ClockSkew } from "../clock-skew.tsx";
import { DurabilitySection } from "../durability/durability-section.tsx";
import { NodeClocksCallout } from "../node-clocks-callout.tsx";
import { UploadPanels } from "../overview/upload-panels.tsx";
import { certificateSelections, type NodeCertificate, readCertificates } from "./certificates.ts";
import { CertificatesPanel } from "./certificates-panel.tsx";
import { Endpoints } from "./endpoints-section.tsx";
import { HostPanels } from "./host-panels.tsx";
import { LostObjectsSection } from "./lost-objects-section.tsx";
import { operationSelections } from "./operations.ts";
import { OperationsPanel } from "./operations-panel.tsx";
import { QuarantineCallouts } from "./quarantine-callouts.tsx";
import { quarantineSelection } from "./quarantines.ts";
import { S3Addresses } from "./s3-addresses.tsx";
import { usePlaceHref } from "./use-place.ts";
import { statusOfNode } from "./vault-rows.ts";

type Row = NodeRow & {
  readonly shown: ReturnType<typeof statusOfNode>;
  readonly certificate: NodeCertificate | null;
};

const columns: Column<Row>[] = [
  textColumn("name", "Node", ({ name }) => name, {
    hideable: false,
    cell: ({ name, isSimulated }) => (
      <span className="flex items-center gap-2">
        {name}
        {isSimulated && <Badge>simulated</Badge>}
      </span>
    ),
  }),
  { id: "role", header: "Role", value: ({ role }) => role },
  textColumn("state", "State", ({ shown }) => shown.word, {
    cell: ({ shown }) => <StatusDot status={shown.status} label={shown.word} />,
  }),
  timeColumn(
    "seen",
    "Last heard from",
    ({ lastSeenAt }) => lastSeenAt,
    { show: "relative", missing: "never" },
    { filterable: false },
  ),
  numberColumn("skew", "Clock", ({ skewMs }) => skewMs, {
    title: "Clock ahead of the server's, ms",
    cell: ({ skewMs }) => <ClockSkew skewMs={skewMs} />,
  }),
  numberColumn("spool", "Spool", ({ spoolBytes }) => spoolBytes, {
    title: "Batches waiting on its disk, bytes",
    cell: ({ spoolBytes }) => <Bytes value={spoolBytes} />,
  }),
  { id: "version", header: "Version", hiddenAtFirst: true, value: ({ agentVersion }) => agentVersion },
];

const certificateColumns: Column<Row>[] = [
  numberColumn("certificate", "Certificate", ({ certificate }) => certificate?.daysLeft ?? null, {
    title: "Days until its certificate expires",
    cell: ({ certificate }) =>
      certificate === null ? "–" : certificate.daysLeft < 0 ? "expired" : `${certificate.daysLeft} days`,
  }),
  textColumn(
    "validUntil",
    "Valid until",
    ({ certificate }) => (certificate === null ? null : new Date(certificate.validUntilMs)),
    {
      filterable: false,
      cell: ({ certificate }) => <Time value={certificate?.validUntilMs} />,
    },
  ),
  textColumn("issuer", "Issued by", ({ certificate }) => certificate?.issuer ?? null, {
    hiddenAtFirst: true,
  }),
];

const defaultSort = { id: "name", direction: "asc" } as const;
const tableOptions = { columns, defaultSort };
const certifiedOptions = { columns: [...columns, ...certificateColumns], defaultSort };

interface Scope {
  readonly nodeIds: string[] | undefined;
}

interface VaultProps {
  readonly nodes: readonly NodeRow[];
  readonly isWhole: boolean;
}

/** One vault: a map of its drives, its latencies, and its nodes. */
export function VaultView(props: VaultProps) {
  const silences = useSilences();
  // Waits for the silences, because a callout that appears later would move the page.
  if (silences === null) return <Skeleton height={320} />;
  return <KnownVault {...props} silences={silences} />;
}

function KnownVault({
  nodes,
  isWhole,
  silences,
}: VaultProps & { readonly silences: VaultState["silences"] }) {
  const nodeIds = useMemo(() => (isWhole ? undefined : nodes.map(({ id }) => id)), [nodes, isWhole]);
  const scope = useMemo(() => ({ nodeIds }), [nodeIds]);
  const ofHosts = nodes.every(({ role }) => role === "host" || role === "probe");
  const vault = nodes[0]?.vault;
  return (
    <>
      <SilenceCallout silence={silences.find((silence) => silence.vault === vault)} />
      <NodeClocksCallout nodes={nodes} />
      {ofHosts && <HostPanels name="hosts" nodeIds={nodes.map(({ id }) => id)} />}
      <S3Addresses nodes={nodes} />
      {ofHosts ? (
        <NodesSection nodes={nodes} certificates={null} />
      ) : (
        <>
          <DurabilitySection vault={vault ?? ""} />
          <VaultParts nodes={nodes} scope={scope} />
        </>
      )}
    </>
  );
}

interface PartsProps {
  readonly nodes: readonly NodeRow[];
  readonly scope: Scope;
}

function VaultParts({ nodes, scope }: PartsProps) {
  const vault = nodes[0]?.vault ?? "";
  const operations = useMetrics(operationSelections(vault));
  const quarantines = useMetrics([quarantineSelection({ where: { vault: [vault] } })]);
  const { certificates, ...asked } = useCertificates(scope);
  // Waits because a callout that appears or grows later would move the rest of the page.
  if (useIsFirstAwaited(operations, quarantines)) return <Skeleton height={320} />;
  return (
    <>
      <OperationsPanel {...operations} />
      <QuarantineCallouts answers={quarantines.answers} />
      <VaultPanels scope={scope} />
      <LostObjectsSection vault={vault} />
      <Endpoints vault={vault} />
      <CertificatesPanel vault={vault} certificates={certificates} {...asked} />
      <NodesSection nodes={nodes} certificates={certificates} />
    </>
  );
}

interface NodesSectionProps {
  readonly nodes: readonly NodeRow[];
  /** Null while unknown, and for nodes without certificates. */
  readonly certificates: ReturnType<typeof readCertificates>;
}

function NodesSection({ nodes, certificates }: NodesSectionProps) {
  const href = usePlaceHref();
  const options = certificates === null ? tableOptions : certifiedOptions;
  const rows = useMemo(
    () =>
      nodes.map((node) => ({
        ...node,
        shown: statusOfNode(node),
        certificate: certificates?.byNode.get(node.name) ?? null,
      })),
    [nodes, certificates],
  );
  return (
    <Section title="Nodes">
      <UrlTable
        label="Nodes"
        table={options}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ vault, name }) => href({ vault, node: name })}
        empty={
          <NextStep icon={<Server />} title="No nodes" step={{ label: "Nodes", href: "/admin/nodes" }}>
            Enrol nodes under Manage, Nodes.
          </NextStep>
        }
        exportName="nodes"
      />
    </Section>
  );
}

/** Reports silent nodes of the vault in the words that Overview uses. */
function SilenceCallout({ silence }: { silence: VaultState["silences"][number] | undefined }) {
  if (silence === undefined) return null;
  return <Callout status="bad" title={`${describeSilence(silence)}.`} />;
}

function useCertificates(scope: Scope) {
  const { range } = usePageTime();
  const selections = useMemo(() => certificateSelections(scope.nodeIds), [scope]);
  const { answers, error, retry } = useMetrics(selections);
  const certificates = useMemo(
    () => (answers === undefined ? null : readCertificates(answers, range.toMs)),
    [answers, range.toMs],
  );
  return { certificates, error, onRetry: retry };
}

function VaultPanels({ scope }: Pick<PartsProps, "scope">) {
  const { nodeIds } = scope;
  return (
    <>
      <VaultMap nodeIds={nodeIds} />
      <SpaceTiles of="Vault" scope={scope} />
      <UploadPanels nodeIds={nodeIds} />
      <div className="grid gap-4 xl:grid-cols-2">
        <LinesPanel
          title="Is the vault filling up?"
          metric="bytes of all pods: live, visible objects, garbage"
          exportName="vault-space"
          sources={spaceSources(scope)}
          thresholds={usableThreshold}
        />
        <LinesPanel
          title="Is the stash filling?"
          metric="bytes of all stash devices: unpurged shards, garbage"
          exportName="stash-occupancy"
          sources={occupancySources({ nodeIds })}
          thresholds={capacityThreshold}
          whole={stashCapacity}
        />
        <LinesPanel
          title="How long does an upload wait for the SSDs?"
          metric="fsync, SSD: p50, p90, p99, slowest"
          exportName="fsync-ssd"
          isLatency
          sources={[
            {
              metric: "stashlight_fsync_seconds",
              where: { tier: [...tiersAlike.stash] },
              nodeIds,
              lines: percentileLines("stash"),
            },
          ]}
        />
        <LinesPanel
          title="How long does a flush to HDD take?"
          metric="fsync, HDD: p50, p90, p99, slowest"
          exportName="fsync-hdd"
          isLatency
          sources={[
            {
              metric: "stashlight_fsync_seconds",
              where: { tier: [...tiersAlike.pod] },
              nodeIds,
              lines: percentileLines("pod"),
            },
          ]}
        />
      </div>
    </>
  );
}
