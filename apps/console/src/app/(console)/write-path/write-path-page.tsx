"use client";
import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import { lazyPart } from "@stashlight/ui";
import { Skeleton } from "@stashlight/ui/feedback";
import type { ReactNode } from "react";
import type { LayerSpec, LineSpec } from "../../../client/metrics/to-chart.ts";
import { MetricPage } from "../charts/metric-page.tsx";
import { BarsPanel, LinesPanel } from "../charts/panels.tsx";
import { percentileLines } from "../charts/percentiles.ts";
import { type FailureReason, failedRequests, failureReason } from "../charts/request-outcome.ts";
import { UploadSecondsPanel } from "../overview/upload-panels.tsx";

// Fetched when this file runs, so that it loads in parallel with the page instead of a round trip later.
const UploadFigures = lazyPart(async () => (await import("./upload-figures.tsx")).UploadFigures);
const Uploads = lazyPart(async () => (await import("./uploads.tsx")).Uploads);
for (const part of [UploadFigures, Uploads]) part.preload();

const quorumLines = ({ labels }: MetricSeries): LineSpec[] => {
  const [name, tone] = labels.set === "stash" ? (["stash", "stash"] as const) : (["pods", "pod"] as const);
  return [
    { column: "p50", label: `${name} p50`, tone, weight: "light" },
    { column: "p99", label: `${name} p99`, tone },
  ];
};

const weights = ["strong", "medium", "light"] as const;

const reasonLayer = ({ labels }: MetricSeries, index: number): LayerSpec => ({
  label: (labels.reason ?? "no reason given").replaceAll("_", " "),
  tone: index === 0 ? "warning" : index === 1 ? "bad" : "direct",
  weight: weights[index % weights.length] ?? "strong",
});

/** Two rows of tiles. */
const FIGURES_PX = 220;

const pathLine = ({ labels }: MetricSeries): LineSpec[] => [
  { column: "rate", label: labels.path ?? "no path", tone: labels.path === "direct" ? "direct" : "stash" },
];

const failureTones: Readonly<Record<FailureReason, LayerSpec["tone"]>> = {
  full: "bad",
  busy: "warning",
  failed: "series-2",
  client: "direct",
};

const failureLayer = ({ labels }: MetricSeries): LayerSpec => {
  const reason = failureReason(labels.operation ?? "", labels.status ?? "") ?? "failed";
  return { label: `${labels.operation} ${labels.status}`, tone: failureTones[reason] };
};

/** Rates of stored uploads and bytes, and requests that fail or are refused. */
function RatePanels() {
  return (
    <>
      <BarsPanel
        title="Which requests fail or are refused?"
        metric="requests in each window, by operation and status: 507 out of space, 503 busy or unavailable, 4xx refused as invalid"
        exportName="failed-requests"
        zeroText="No request failed, and none was refused,"
        sources={failedRequests.map((where) => ({
          metric: "stashlight_requests_total",
          groupBy: ["operation", "status"],
          where,
          layer: failureLayer,
        }))}
      />
      <LinesPanel
        title="How many uploads are stored?"
        metric="uploads acknowledged, by path"
        exportName="upload-rate"
        quantity="per-second"
        sources={[
          {
            metric: "stashlight_uploads_total",
            groupBy: ["path"],
            where: { result: ["stored"] },
            lines: pathLine,
          },
        ]}
      />
      <LinesPanel
        title="How many bytes are stored?"
        metric="bodies of acknowledged uploads, by path"
        exportName="byte-rate"
        quantity="bytes-per-second"
        sources={[{ metric: "stashlight_upload_bytes_total", groupBy: ["path"], lines: pathLine }]}
      />
    </>
  );
}

/** Phases of uploads: totals first, then single uploads. */
export function WritePathPage({ description }: { description: ReactNode }) {
  return (
    <MetricPage title="Write path" description={description}>
      <UploadFigures fallback={<Skeleton width="100%" height={FIGURES_PX} />} />
      <div className="grid gap-4 xl:grid-cols-2">
        <UploadSecondsPanel />
        <RatePanels />
        <LinesPanel
          title="Which quorum takes longer?"
          metric="from the first shard sent to a quorum of one set: pods and stash, p50 and p99"
          exportName="quorum-wait"
          isLatency
          sources={[{ metric: "stashlight_quorum_wait_seconds", groupBy: ["set"], lines: quorumLines }]}
        />
        <LinesPanel
          title="What does encoding cost?"
          metric="parity of an upload: p50, p90, p99, slowest"
          exportName="encode"
          isLatency
          sources={[{ metric: "stashlight_encode_seconds", lines: percentileLines("coordinator") }]}
        />
        <BarsPanel
          title="Which small uploads could not use the stash?"
          metric="fallbacks to the direct path in each window, by reason"
          exportName="fallbacks"
          zeroText="No small upload fell back to the direct path"
          sources={[{ metric: "stashlight_fallbacks_total", groupBy: ["reason"], layer: reasonLayer }]}
        />
        <LinesPanel
          title="How long do requests wait for their turn?"
          metric="from admission to the request's turn, all operations: p50, p90, p99, slowest"
          exportName="admission-wait"
          isLatency
          sources={[{ metric: "stashlight_admission_wait_seconds", lines: percentileLines("coordinator") }]}
        />
        <BarsPanel
          title="Which requests does the vault shed?"
          metric="requests refused for overload in each window, by reason; 503 for pods that are away is in the first chart"
          exportName="shed"
          zeroText="No request was refused for overload"
          sources={[{ metric: "stashlight_requests_shed_total", groupBy: ["reason"], layer: reasonLayer }]}
        />
      </div>
      <Uploads fallback={<Skeleton height={480} />} />
    </MetricPage>
  );
}
