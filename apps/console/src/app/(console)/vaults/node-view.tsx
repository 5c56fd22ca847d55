"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import { UiLink } from "@stashlight/ui";
import { CopyableId, DefinitionList, Time } from "@stashlight/ui/data";
import { Badge, StatusDot } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { useMemo } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { LinesPanel, MultiplesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";
import { SpaceTiles } from "../charts/space-tiles.tsx";
import { VaultMap } from "../charts/vault-map.tsx";
import { deviceHref } from "../device-href.ts";
import { NodeClocksCallout } from "../node-clocks-callout.tsx";
import { UploadPanels } from "../overview/upload-panels.tsx";
import { HostDrives } from "./host-drives.tsx";
import { HostPanels } from "./host-panels.tsx";
import { MachinePanels } from "./machine-panels.tsx";
import { statusOfNode } from "./vault-rows.ts";

/** One node: its identity, its drives, and its measurements. */
export function NodeView({ node }: { node: NodeRow }) {
  const scope = useMemo(() => ({ nodeIds: [node.id] }), [node.id]);
  const { nodeIds } = scope;
  const isDriveNode = node.role === "pod" || node.role === "stash";
  return (
    <>
      <NodeClocksCallout nodes={[node]} />
      <NodeFacts node={node} />
      {isDriveNode && <VaultMap title="Drives" nodeIds={nodeIds} />}
      {node.role === "pod" && <SpaceTiles of="Node" scope={scope} place={{ node: node.name }} />}
      {isDriveNode && <DriveCharts node={node} nodeIds={nodeIds} />}
      {node.role === "coordinator" && <UploadPanels nodeIds={nodeIds} />}
      {node.role === "probe" && <ProbeWork />}
      {node.role === "host" && <HostPanels name={node.name} nodeIds={nodeIds} />}
      {node.role === "host" && <HostDrives node={node} />}
      {isDriveNode && <DrivesSideBySide node={node} nodeIds={nodeIds} />}
      {node.role !== "probe" && !node.isSimulated && <MachinePanels node={node} nodeIds={nodeIds} />}
    </>
  );
}

/** Explains that a probe sends no figures: each measurement is shown with its drive or benchmark. */
function ProbeWork() {
  return (
    <Section title="What does it measure?" card>
      <p className="max-w-[80ch] text-muted">
        It measures on request: how fast a drive syncs, from that drive's page, and plans under{" "}
        <UiLink href="/benchmarks" className="underline">
          Benchmarks
        </UiLink>{" "}
        that use it as their vantage point. The results are shown there.
      </p>
    </Section>
  );
}

export function NodeFacts({ node }: { node: NodeRow }) {
  const { status, word } = statusOfNode(node);
  return (
    <Section title={`Node ${node.name}`} card>
      <DefinitionList
        items={[
          { term: "State", value: <StatusDot status={status} label={word} /> },
          { term: "Role", value: node.role },
          {
            term: "Last heard from",
            value: <Time value={node.lastSeenAt} show="age" missing="never" />,
          },
          { term: "Agent", value: node.agentVersion ?? "–" },
          { term: "ID", value: <CopyableId value={node.id} label="node id" /> },
          ...(node.isSimulated ? [{ term: "Origin", value: <Badge>simulated</Badge> }] : []),
        ]}
      />
    </Section>
  );
}

function DrivesSideBySide({ node, nodeIds }: { node: NodeRow; nodeIds: string[] }) {
  const { search } = usePageTime();
  const isStash = node.role === "stash";
  return (
    <Section title="Is one drive slower than the others?" description="All on one scale.">
      <MultiplesPanel
        metric={`fsync, ${isStash ? "SSD" : "HDD"}: p50, slowest`}
        exportName={`fsync-${node.name}`}
        selection={{ metric: "stashlight_fsync_seconds", nodeIds, groupBy: ["device"] }}
        lines={[
          { column: "p50", label: "p50", tone: isStash ? "stash" : "pod" },
          { column: "max", label: "slowest", tone: isStash ? "stash" : "pod", weight: "dotted" },
        ]}
        titleOf={({ labels }) => labels.device ?? "–"}
        hrefOf={({ labels }) => deviceHref(search, node.name, labels.device ?? "")}
      />
    </Section>
  );
}

function DriveCharts({ node, nodeIds }: { node: NodeRow; nodeIds: string[] }) {
  const isStash = node.role === "stash";
  const tone = isStash ? "stash" : "pod";
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <LinesPanel
        title="How long do its drives take to sync?"
        metric={`fsync, ${isStash ? "SSD" : "HDD"}: p50, p90, p99, slowest`}
        exportName={`fsync-${node.name}`}
        isLatency
        sources={[{ metric: "stashlight_fsync_seconds", nodeIds, lines: percentileLines(tone) }]}
      />
      {isStash ? (
        <LinesPanel
          title="Is purge keeping up?"
          metric="purge lag: p50, p90, p99, slowest"
          exportName={`purge-lag-${node.name}`}
          isLatency
          sources={[{ metric: "stashlight_purge_lag_seconds", nodeIds, lines: percentileLines("stash") }]}
        />
      ) : (
        <LinesPanel
          title="How much waits to be flushed?"
          metric="shards that are written but not yet durable"
          exportName={`flush-backlog-${node.name}`}
          sources={[
            {
              metric: "stashlight_flush_backlog_shards",
              nodeIds,
              lines: [{ column: "avg", label: "backlog", tone: "pod", hasBand: true }],
            },
          ]}
        />
      )}
    </div>
  );
}
