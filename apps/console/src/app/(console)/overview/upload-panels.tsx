"use client";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import type { LineSpec } from "../../../client/metrics/to-chart.ts";
import { LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";

/** The band covers the slower half of the uploads, without the slowest 1 %. */
const linesOfPath = (path: "stash" | "direct"): LineSpec[] => [
  { column: "p99", label: `${path} p99`, tone: path, bandFrom: "p50" },
  { column: "p50", label: `${path} p50`, tone: path, weight: "light" },
];

/** Upload latency that clients see, and how soon their data reaches the HDDs. */
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

/** Draws the stash and direct paths separately, because one waits for SSDs and the other for HDDs. */
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
