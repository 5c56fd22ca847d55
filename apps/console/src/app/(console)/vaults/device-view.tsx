"use client";
import type { NodeRow } from "@stashlight/contracts/node";
import type { Role } from "@stashlight/contracts/user";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { useIsFirstAwaited } from "../../../client/metrics/use-is-first-awaited.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";
import { IntegrityTiles } from "../charts/integrity-tiles.tsx";
import { capacityThreshold, occupancySources } from "../charts/occupancy.ts";
import { BarsPanel, HeatmapPanel, LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";
import { SpaceTiles } from "../charts/space-tiles.tsx";
import { spaceSources, usableThreshold } from "../charts/vault-space.ts";
import { DriveFacts } from "./drive-facts.tsx";
import { FsyncProbe } from "./fsync-probe.tsx";
import { HostDevice } from "./host-panels.tsx";
import { QuarantineCallouts } from "./quarantine-callouts.tsx";
import { quarantineSelection } from "./quarantines.ts";

const PeersSection = lazyPart(async () => (await import("./peers-section.tsx")).PeersSection);

interface DeviceViewProps {
  readonly node: NodeRow;
  readonly device: string;
  readonly role: Role;
}

/** One drive of a vault or a watched machine. */
export function DeviceView({ node, device, role }: DeviceViewProps) {
  return (
    <>
      <DriveFacts node={node} device={device} role={role} />
      {node.role === "host" ? (
        <HostDevice node={node} device={device} />
      ) : (
        <VaultDevice node={node} device={device} role={role} />
      )}
    </>
  );
}

/** Sync latency, fill and queue of a vault's drive. */
function VaultDevice({ node, device, role }: DeviceViewProps) {
  const scope: Scope = {
    where: { device: [device] },
    nodeIds: [node.id],
  };
  const isStash = node.role === "stash";
  const tone = isStash ? "stash" : "pod";
  const file = `${node.name}-${device}`;
  const quarantines = useMetrics(isStash ? [quarantineSelection(scope)] : []);
  // Waits because a callout that appears later would move the page.
  if (useIsFirstAwaited(quarantines)) return <Skeleton height={320} />;
  return (
    <>
      <QuarantineCallouts answers={quarantines.answers} />
      <IntegrityTiles scope={scope} place={{ node: node.name, device }} />
      {!isStash && <SpaceTiles of="Drive" scope={scope} place={{ node: node.name, device }} />}
      <div className="grid gap-4 xl:grid-cols-2">
        <LinesPanel
          title={`How long does ${device} take to sync?`}
          metric={`fsync, ${isStash ? "SSD" : "HDD"}: p50, p90, p99, slowest`}
          exportName={`fsync-${file}`}
          isLatency
          sources={[{ ...scope, metric: "stashlight_fsync_seconds", lines: percentileLines(tone) }]}
        />
        <HeatmapPanel
          title="Which durations occur?"
          metric="fsync: syncs of each duration"
          exportName={`fsync-durations-${file}`}
          selection={{ ...scope, metric: "stashlight_fsync_seconds" }}
          tone={tone}
        />
        <LinesPanel
          title="How full is it?"
          metric={isStash ? "bytes: unpurged shards, garbage" : "bytes: live, visible objects, garbage"}
          exportName={`occupancy-${file}`}
          sources={isStash ? occupancySources(scope) : spaceSources(scope)}
          thresholds={isStash ? capacityThreshold : usableThreshold}
        />
        {!isStash && (
          <LinesPanel
            title="How much waits to be flushed?"
            metric="shards that are written but not yet durable"
            exportName={`backlog-${file}`}
            sources={[backlog(scope)]}
          />
        )}
        <LinesPanel
          title={isStash ? "How long do shards stay on it?" : "How long does a shard wait for its flush?"}
          metric={isStash ? "purge lag: p50, p90, p99, slowest" : "flush queue: p50, p90, p99, slowest"}
          exportName={`lag-${file}`}
          isLatency
          sources={[
            {
              ...scope,
              metric: isStash ? "stashlight_purge_lag_seconds" : "stashlight_flush_queue_seconds",
              lines: percentileLines(tone),
            },
          ]}
        />
        <DeviceWork scope={scope} tone={tone} file={file} />
      </div>
      <PeersSection node={node} device={device} />
      <FsyncProbe node={node} device={device} role={role} />
    </>
  );
}

type Scope = Pick<MetricSelection, "where" | "nodeIds">;

/** Writes to a drive, and their failures. */
function DeviceWork({ scope, tone, file }: { scope: Scope; tone: "stash" | "pod"; file: string }) {
  return (
    <>
      <BarsPanel
        title="How much is written to it?"
        metric="shards appended in each window"
        exportName={`shards-${file}`}
        sources={[
          { ...scope, metric: "stashlight_shards_written_total", layer: () => ({ label: "shards", tone }) },
        ]}
      />
      <BarsPanel
        title="Does it fail?"
        zeroText="No sync failed and the drive was never closed"
        metric="failed syncs, and times that the drive was closed because of them"
        exportName={`failures-${file}`}
        sources={[
          {
            ...scope,
            metric: "stashlight_fsync_errors_total",
            layer: () => ({ label: "fsync errors", tone: "bad" }),
          },
          {
            ...scope,
            metric: "stashlight_drive_failures_total",
            layer: () => ({ label: "closed", tone: "warning" }),
          },
        ]}
      />
      <BarsPanel
        title="Does it return the right data?"
        zeroText="Every read succeeded and no record failed its checksum"
        metric="reads that failed, and records that fail their checksum or were repaired"
        exportName={`integrity-${file}`}
        sources={[
          {
            ...scope,
            metric: "stashlight_read_errors_total",
            layer: () => ({ label: "read errors", tone: "warning" }),
          },
          {
            ...scope,
            metric: "stashlight_records_corrupt_total",
            layer: () => ({ label: "corrupt", tone: "bad" }),
          },
          {
            ...scope,
            metric: "stashlight_records_repaired_total",
            layer: () => ({ label: "repaired", tone: "good" }),
          },
        ]}
      />
    </>
  );
}

const backlog = (scope: Scope): LinesSource => ({
  ...scope,
  metric: "stashlight_flush_backlog_shards",
  lines: [{ column: "avg", label: "backlog", tone: "pod", hasBand: true }],
});
