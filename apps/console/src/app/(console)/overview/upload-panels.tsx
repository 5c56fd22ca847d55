"use client";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import type { LineSpec } from "../../../client/metrics/to-chart.ts";
import { LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";

/** The band is where half of the uploads lie that are slower than the median, but for the slowest in a hundred. */
const linesOfPath = (path: "stash" | "direct"): LineSpec[] => [
  { column: "p99", label: `${path} p99`, tone: path, bandFrom: "p50" },
  { column: "p50", label: `${path} p50`, tone: path, weight: "light" },
];

/** Upload latency that clients see, and the progress of their data to HDD. */
export function UploadPanels({ nodeIds }: { nodeIds?: string[] }) {
  const { search } = usePageTime();
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <UploadSecondsPanel nodeIds={nodeIds} href={`/write-path${search}`} />
      <LinesPanel
        title="Is purge keeping up?"
        metric="purge lag, durable on the stash to purged: p50, p90, p99, slowest"
        exportName="purge-lag"
        href={`/stash${search}`}
        isLatency
        sources={[{ metric: "stashlight_purge_lag_seconds", nodeIds, lines: percentileLines("stash") }]}
      />
    </div>
  );
}

interface UploadSecondsProps {
  readonly title?: string;
  readonly nodeIds?: string[];
  readonly href?: string;
  readonly heightPx?: number;
}

/** Stash and direct apart, because one waits for SSDs and the other for HDDs. */
export function UploadSecondsPanel({
  title = "How long do uploads take?",
  nodeIds,
  href,
  heightPx,
}: UploadSecondsProps) {
  return (
    <LinesPanel
      title={title}
      metric="upload, first byte to answer: stash and direct, from p50 to p99"
      exportName="uploads"
      href={href}
      heightPx={heightPx}
      isLatency
      sources={[
        {
          metric: "stashlight_upload_seconds",
          groupBy: ["path"],
          nodeIds,
          lines: ({ labels }) => linesOfPath(labels.path === "direct" ? "direct" : "stash"),
        },
      ]}
    />
  );
}
