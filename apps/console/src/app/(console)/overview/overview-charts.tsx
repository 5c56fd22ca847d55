"use client";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { purgeLagMarks } from "@stashlight/contracts/thresholds";
import type { ChartThreshold } from "@stashlight/ui/chart";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useScope } from "../../../client/metrics/use-scope.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";
import { LinesPanel } from "../charts/panels.tsx";
import { UploadSecondsPanel } from "./upload-panels.tsx";

/** Low enough that both charts are visible without scrolling, and as high as the map beside them. */
const CHART_PX = 200;
/** More lines than this cannot be distinguished. */
const VAULT_LINES_MAX = 4;

const oldest = "stashlight_stash_oldest_unpurged_seconds";

/** Shows how long clients wait, and whether their shards leave the stash. */
export function OverviewCharts() {
  const { search } = usePageTime();
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <UploadSecondsPanel title="Are uploads fine?" href={`/write-path${search}`} heightPx={CHART_PX} />
      <DrainPanel href={`/stash${search}`} />
    </div>
  );
}

/** Shows the age of the oldest waiting shard, which rises when purging stops; the purge lag then has no samples. */
function DrainPanel({ href }: { href: string }) {
  const { vaults } = useScope();
  const isByVault = vaults.length > 1 && vaults.length <= VAULT_LINES_MAX;
  const sources = isByVault ? [oldestByVault(vaults)] : [oldestOfAll, purgeLag];
  return (
    <LinesPanel
      title="Does the stash drain?"
      metric={
        isByVault
          ? "age of the oldest shard that waits for its purge, by vault"
          : "age of the oldest shard that waits for its purge; lag of purges, p50 and p99"
      }
      exportName="stash-drain"
      href={href}
      isLatency
      heightPx={CHART_PX}
      sources={sources}
      thresholds={lateMark}
    />
  );
}

const weights = ["strong", "medium", "light", "dotted"] as const;

const oldestByVault = (vaults: readonly string[]): LinesSource => ({
  metric: oldest,
  across: "max",
  groupBy: ["vault"],
  lines: ({ labels: { vault = "–" } }) => [
    { column: "max", label: vault, tone: "stash", weight: weights[vaults.indexOf(vault)] ?? "strong" },
  ],
});

const oldestOfAll: LinesSource = {
  metric: oldest,
  across: "max",
  lines: [{ column: "max", label: "oldest", tone: "stash" }],
};

const purgeLag: LinesSource = {
  metric: "stashlight_purge_lag_seconds",
  lines: [
    { column: "p50", label: "lag p50", tone: "stash", weight: "light" },
    { column: "p99", label: "lag p99", tone: "stash", weight: "medium" },
  ],
};

/** Draws the limit once the lines reach this share of it; a limit far above them would flatten them. */
const NEAR_SHARE = 0.25;

function lateMark(answers: readonly MetricAnswer[]): ChartThreshold[] {
  const highest = answers
    .flatMap(({ series }) => series)
    .flatMap(({ columns }) => (columns.kind === "gauge" ? columns.max : []))
    .reduce((most, value) => Math.max(most, value), 0);
  if (highest < NEAR_SHARE * purgeLagMarks.lateSeconds) return [];
  return [{ value: purgeLagMarks.lateSeconds, label: "late", tone: "warning" }];
}
