"use client";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import type { LineSpec } from "../../../client/metrics/to-chart.ts";
import { LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";

const paths: LineSpec[][] = [
  [
    { column: "p50", label: "stash p50", tone: "stash", weight: "light" },
    { column: "p99", label: "stash p99", tone: "stash" },
    { column: "max", label: "stash slowest", tone: "stash", weight: "dotted" },
  ],
  [
    { column: "p50", label: "direct p50", tone: "direct", weight: "light" },
    { column: "p99", label: "direct p99", tone: "direct" },
    { column: "max", label: "direct slowest", tone: "direct", weight: "dotted" },
  ],
];

/** What clients feel, and whether what they gave is on its way to HDD. */
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
  /** Without the slowest of each window. */
  readonly isBrief?: boolean;
  readonly nodeIds?: string[];
  readonly href?: string;
  readonly heightPx?: number;
}

/** Stash and direct apart, because one waits for SSDs and the other for HDDs. */
export function UploadSecondsPanel({
  title = "How long do uploads take?",
  isBrief = false,
  nodeIds,
  href,
  heightPx,
}: UploadSecondsProps) {
  return (
    <LinesPanel
      title={title}
      metric={`upload, first byte to answer: stash and direct, p50, p99${isBrief ? "" : ", slowest"}`}
      exportName="uploads"
      href={href}
      heightPx={heightPx}
      isLatency
      sources={[
        {
          metric: "stashlight_upload_seconds",
          groupBy: ["path"],
          nodeIds,
          lines: ({ labels }) =>
            (paths[labels.path === "direct" ? 1 : 0] ?? []).filter(
              ({ column }) => !isBrief || column !== "max",
            ),
        },
      ]}
    />
  );
}
