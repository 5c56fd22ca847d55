"use client";
import { Skeleton } from "@stashlight/ui/feedback";
import { lazy, Suspense } from "react";
import { MetricPage } from "../charts/metric-page.tsx";

// The catalogue of metrics comes beside the page instead of before it.
const loading = import("./explorer.tsx");
const Explorer = lazy(async () => ({ default: (await loading).Explorer }));

export function ExplorerPage() {
  return (
    <MetricPage
      title="Explorer"
      description="Any metric, filtered and split by any label. The address is a permanent link to the chart."
    >
      <Suspense fallback={<Skeleton height={560} />}>
        <Explorer />
      </Suspense>
    </MetricPage>
  );
}
