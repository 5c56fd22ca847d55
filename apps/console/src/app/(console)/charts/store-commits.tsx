"use client";
import { Section } from "@stashlight/ui/layout";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { MultiplesPanel } from "./panels.tsx";

export interface StoreCommitsProps {
  /** Selects the drives of a node, of a kind, or a single drive. */
  readonly scope: Pick<MetricSelection, "where" | "nodeIds">;
  readonly tone: "stash" | "pod";
  readonly exportName: string;
  /** Kind of the drives, if they all have one kind. */
  readonly medium?: "SSD" | "HDD";
}

/** Commit times of scraped stores: means, and therefore apart from percentiles. Renders nothing without scrapes. */
export function StoreCommits({ scope, tone, exportName, medium }: StoreCommitsProps) {
  const selection: MetricSelection = {
    ...scope,
    metric: "stashlight_commit_mean_seconds",
    groupBy: ["node", "device", "operation"],
    across: "max",
  };
  const { answers } = useMetrics([{ ...selection, pointCountMax: 20 }]);
  if (answers?.[0] === undefined || answers[0].series.length === 0) return null;
  return (
    <Section
      title={`How long do commits of scraped stores take${medium === undefined ? "" : ` on ${medium}`}?`}
      description="Means only, because the store reports no percentiles. All on one scale."
    >
      <MultiplesPanel
        metric="mean over the commits since the previous poll, or over the last minute as the store reports it"
        exportName={exportName}
        selection={selection}
        lines={[{ column: "avg", label: "mean", tone, hasBand: true }]}
        titleOf={({ labels }) => `${labels.device ?? "–"} · ${labels.operation ?? "–"}`}
      />
    </Section>
  );
}

/** Fill of the devices that hold scraped stores' databases and write-ahead logs. */
export function StoreJournals({ nodeIds, exportName }: { nodeIds: string[]; exportName: string }) {
  const selection: MetricSelection = {
    metric: "stashlight_journal_used_bytes",
    nodeIds,
    groupBy: ["node", "device", "part"],
  };
  const { answers } = useMetrics([{ ...selection, pointCountMax: 20 }]);
  if (answers?.[0] === undefined || answers[0].series.length === 0) return null;
  return (
    <Section
      title="Which journal fills up?"
      description="Bytes of the database (db), of its write-ahead log (wal), and of the part of either that did not fit (slow). All on one scale."
    >
      <MultiplesPanel
        metric="bytes used"
        exportName={exportName}
        selection={selection}
        lines={[{ column: "last", label: "used", tone: "stash" }]}
        titleOf={({ labels }) => `${labels.device ?? "–"} · ${labels.part ?? "–"}`}
      />
    </Section>
  );
}
