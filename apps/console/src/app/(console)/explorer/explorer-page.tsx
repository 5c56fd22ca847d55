"use client";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import { MetricPage } from "../charts/metric-page.tsx";

// Loads the metric catalogue in parallel with the page instead of before it.
const Explorer = lazyPart(async () => (await import("./explorer.tsx")).Explorer);
Explorer.preload();

export function ExplorerPage() {
  return (
    <MetricPage
      title="Explorer"
      description="Any metric, filtered and split by any label. The address is a permanent link to the chart."
    >
      <Explorer fallback={<Skeleton height={560} />} />
    </MetricPage>
  );
}
