"use client";
import { tiersAlike } from "@stashlight/contracts/metrics";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import type { ReactNode } from "react";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { WhenNear } from "../../../client/when-near.tsx";
import { MetricPage } from "../charts/metric-page.tsx";
import { HeatmapPanel, LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";
import { StoreCommits } from "../charts/store-commits.tsx";
import type { DriveTier } from "./stalls.ts";

const DeviceTable = lazyPart(async () => (await import("./device-table.tsx")).DeviceTable);
DeviceTable.preload();
const StallTable = lazyPart(async () => (await import("./stall-table.tsx")).StallTable);
const tablePlace = <Skeleton height={360} />;

const media: Record<DriveTier, { name: string; heading: string; question: string }> = {
  stash: {
    name: "SSD",
    heading: "SSD, of stashes and watched machines",
    question: "How long do SSDs take to sync?",
  },
  pod: {
    name: "HDD",
    heading: "HDD, of pods and watched machines",
    question: "How long does a flush to HDD take?",
  },
};

/** HDDs and SSDs side by side, never combined in one figure. */
export function FsyncPage({ description }: { description: ReactNode }) {
  return (
    <MetricPage title="fsync" description={description}>
      <div className="grid gap-x-4 gap-y-8 xl:grid-cols-2">
        <Tier tier="stash" />
        <Tier tier="pod" />
      </div>
      <StoreCommits
        scope={{ where: { tier: [...tiersAlike.stash] } }}
        tone="stash"
        exportName="commits-ssd"
        medium="SSD"
      />
      <StoreCommits
        scope={{ where: { tier: [...tiersAlike.pod] } }}
        tone="pod"
        exportName="commits-hdd"
        medium="HDD"
      />
    </MetricPage>
  );
}

function Tier({ tier }: { tier: DriveTier }) {
  const { name, heading, question } = media[tier];
  const selection: MetricSelection = {
    metric: "stashlight_fsync_seconds",
    where: { tier: [...tiersAlike[tier]] },
  };
  return (
    <Section title={heading}>
      <LinesPanel
        title={question}
        metric={`fsync, ${name}: p50, p90, p99 and the slowest of each window`}
        exportName={`fsync-${name.toLowerCase()}`}
        sources={[{ ...selection, lines: percentileLines(tier) }]}
        isLatency
        heightPx={220}
      />
      <HeatmapPanel
        title={`Which durations occur on ${name}?`}
        metric={`fsync, ${name}: syncs of each duration`}
        exportName={`fsync-durations-${name.toLowerCase()}`}
        selection={selection}
        tone={tier}
        heightPx={220}
      />
      <h3 className="mt-3 text-base font-medium text-ink">Which {name} is slow?</h3>
      <WhenNear fallback={tablePlace}>
        <DeviceTable tier={tier} label={`${name} drives, slowest first`} fallback={tablePlace} />
      </WhenNear>
      <h3 className="mt-3 text-base font-medium text-ink">When did a single sync stall?</h3>
      <WhenNear fallback={tablePlace}>
        <StallTable tier={tier} medium={name} fallback={tablePlace} />
      </WhenNear>
    </Section>
  );
}
