"use client";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { NodeRow } from "@stashlight/contracts/node";
import { Section } from "@stashlight/ui/layout";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";
import { BarsPanel, HeatmapPanel, LinesPanel, MultiplesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";
import { StoreCommits, StoreJournals } from "../charts/store-commits.tsx";

type Scope = Pick<MetricSelection, "where" | "nodeIds">;

/** Charts of watched machines: sync times of SSDs and HDDs separately, and fill of file systems. */
export function HostPanels({ name, nodeIds }: { name: string; nodeIds: string[] }) {
  const syncs = (tier: "ssd" | "hdd"): LinesSource => ({
    metric: "stashlight_fsync_seconds",
    where: { tier: [tier] },
    nodeIds,
    lines: percentileLines(tier === "ssd" ? "stash" : "pod"),
  });
  return (
    <>
      <div className="grid gap-4 xl:grid-cols-2">
        <LinesPanel
          title="How long do its SSDs take to sync?"
          metric="fsync of the agent's own file, SSD: p50, p90, p99, slowest"
          exportName={`fsync-ssd-${name}`}
          isLatency
          sources={[syncs("ssd")]}
          emptyText="No sync of an SSD was timed. Start the agent with --fsync and a folder on the drive."
        />
        <LinesPanel
          title="How long do its HDDs take to sync?"
          metric="fsync of the agent's own file, HDD: p50, p90, p99, slowest"
          exportName={`fsync-hdd-${name}`}
          isLatency
          sources={[syncs("hdd")]}
          emptyText="No sync of an HDD was timed. Start the agent with --fsync and a folder on the drive."
        />
      </div>
      <StoreCommits scope={{ nodeIds }} tone="stash" exportName={`commits-${name}`} />
      <StoreJournals nodeIds={nodeIds} exportName={`journals-${name}`} />
      <Section title="Which drive is busy?" description="All on one scale.">
        <MultiplesPanel
          metric="share of the time with a request in progress"
          exportName={`busy-${name}`}
          selection={{ metric: "stashlight_device_busy_ratio", nodeIds, groupBy: ["node", "device"] }}
          lines={[{ column: "avg", label: "busy", tone: "stash", hasBand: true }]}
          titleOf={({ labels }) => labels.device ?? "–"}
        />
      </Section>
      <Section title="Which file system fills up?" description="All on one scale.">
        <MultiplesPanel
          metric="bytes used"
          exportName={`file-systems-${name}`}
          selection={{ metric: "stashlight_filesystem_used_bytes", nodeIds, groupBy: ["node", "filesystem"] }}
          lines={[{ column: "last", label: "used", tone: "pod" }]}
          titleOf={({ labels }) => labels.filesystem ?? "–"}
        />
      </Section>
    </>
  );
}

/** Charts of one drive of a watched machine. The kernel reports means, so only syncs have percentiles. */
export function HostDevice({ node, device }: { node: NodeRow; device: string }) {
  const scope: Scope = { where: { device: [device] }, nodeIds: [node.id] };
  const file = `${node.name}-${device}`;
  const level = (metric: MetricName, label: string, tone: "stash" | "pod" | "direct"): LinesSource => ({
    ...scope,
    metric,
    lines: [{ column: "avg", label, tone }],
  });
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <LinesPanel
        title={`How long does ${device} take to sync?`}
        metric="fsync of the agent's own file: p50, p90, p99, slowest"
        exportName={`fsync-${file}`}
        isLatency
        sources={[{ ...scope, metric: "stashlight_fsync_seconds", lines: percentileLines("stash") }]}
        emptyText="No sync of this drive was timed. Start the agent with --fsync and a folder on the drive."
      />
      <HeatmapPanel
        title="Which durations occur?"
        metric="fsync: syncs of each duration"
        exportName={`fsync-durations-${file}`}
        selection={{ ...scope, metric: "stashlight_fsync_seconds" }}
        tone="stash"
      />
      <LinesPanel
        title="How long do requests take?"
        metric="mean of each window, with the wait in the drive's queue"
        exportName={`latency-${file}`}
        isLatency
        sources={[
          level("stashlight_device_read_mean_seconds", "reads", "stash"),
          level("stashlight_device_write_mean_seconds", "writes", "pod"),
          level("stashlight_device_flush_mean_seconds", "flushes", "direct"),
        ]}
      />
      <LinesPanel
        title="How busy is it?"
        metric="share of the time with a request in progress; a drive that serves many at a time may have capacity left at 100 %"
        exportName={`busy-${file}`}
        sources={[level("stashlight_device_busy_ratio", "busy", "stash")]}
      />
      <LinesPanel
        title="How many requests wait?"
        metric="requests waiting or in progress, on average"
        exportName={`queue-${file}`}
        sources={[level("stashlight_device_queue_requests", "requests", "stash")]}
      />
      <BarsPanel
        title="How much is read and written?"
        metric="bytes in each window"
        exportName={`bytes-${file}`}
        sources={[
          {
            ...scope,
            metric: "stashlight_device_read_bytes_total",
            layer: () => ({ label: "read", tone: "stash" }),
          },
          {
            ...scope,
            metric: "stashlight_device_written_bytes_total",
            layer: () => ({ label: "written", tone: "pod" }),
          },
        ]}
      />
    </div>
  );
}
