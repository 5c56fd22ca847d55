"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import type { ReactNode } from "react";
import type { LineSpec } from "../../../client/metrics/to-chart.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { WhenNear } from "../../../client/when-near.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { capacityThreshold, occupancyByVault, occupancySources, stashCapacity } from "../charts/occupancy.ts";
import { BarsPanel, LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";

const StashFigures = lazyPart(async () => (await import("./stash-figures.tsx")).StashFigures);
const UnpurgedByPod = lazyPart(async () => (await import("./unpurged-by-pod.tsx")).UnpurgedByPod);
const unpurgedPlace = <Skeleton height={320} />;

const gauge = (label: string): LineSpec[] => [{ column: "avg", label, tone: "stash", hasBand: true }];

/** Shows whether data leaves the SSDs again, and how long it stays there. */
export function StashPage({ description }: { description: ReactNode }) {
  return (
    <MetricPage title="Stash" description={description}>
      <StashFigures fallback={<Skeleton height={96} />} />
      <div className="grid gap-4 xl:grid-cols-2">
        <OccupancyPanel />
        <LinesPanel
          title="Is purge keeping up?"
          metric="purge lag, durable on the stash to purged: p50, p90, p99, slowest"
          exportName="purge-lag"
          sources={[{ metric: "stashlight_purge_lag_seconds", lines: percentileLines("stash") }]}
          isLatency
        />
        <WhenNear fallback={unpurgedPlace}>
          <UnpurgedByPod fallback={unpurgedPlace} />
        </WhenNear>
        <LinesPanel
          title="How old is the oldest shard that waits?"
          metric="age of the oldest unpurged shard of any device"
          exportName="stash-oldest-unpurged"
          sources={[
            { metric: "stashlight_stash_oldest_unpurged_seconds", across: "max", lines: gauge("oldest") },
          ]}
        />
        <LinesPanel
          title="How many segments are free?"
          metric="free segments of the device that has the fewest, and on average"
          exportName="stash-free-segments"
          sources={[
            {
              metric: "stashlight_stash_free_segments",
              across: "min",
              lines: [{ column: "min", label: "fewest", tone: "stash" }],
            },
            {
              metric: "stashlight_stash_free_segments",
              across: "avg",
              lines: [{ column: "avg", label: "average", tone: "stash", weight: "light" }],
            },
          ]}
        />
        <PurgeWork />
      </div>
    </MetricPage>
  );
}

/** More lines cannot be distinguished. */
const LINES_MAX = 6;

function OccupancyPanel() {
  const { isSeveral, vaults } = useScope();
  const shared = {
    title: "Is the stash filling?",
    exportName: "stash-occupancy",
    className: "xl:col-span-2",
    heightPx: 240,
  };
  if (isSeveral && vaults.length <= LINES_MAX) {
    return (
      <LinesPanel
        {...shared}
        metric="unpurged bytes on each vault's stash"
        sources={occupancyByVault(vaults)}
      />
    );
  }
  return (
    <LinesPanel
      {...shared}
      metric="bytes of all stash devices and their share of the capacity: unpurged shards, garbage"
      sources={occupancySources()}
      thresholds={capacityThreshold}
      whole={stashCapacity}
    />
  );
}

/** Work per window, and how well it is batched. */
function PurgeWork() {
  return (
    <>
      <BarsPanel
        title="How much is purged, and how much refused?"
        metric="purges of each window: accepted, refused"
        exportName="stash-purges"
        sources={[
          {
            metric: "stashlight_purges_accepted_total",
            layer: () => ({ label: "accepted", tone: "stash" }),
          },
          {
            metric: "stashlight_purges_refused_total",
            layer: () => ({ label: "refused", tone: "bad" }),
          },
        ]}
      />
      <LinesPanel
        title="How many records share a sync?"
        metric="records in one group commit: p50, p90, p99, most"
        exportName="stash-commit-batch"
        sources={[
          {
            metric: "stashlight_commit_batch_records",
            lines: percentileLines("stash").map((line) =>
              line.column === "max" ? { ...line, label: "most" } : line,
            ),
          },
        ]}
      />
    </>
  );
}
