"use client";
import type { BenchmarkLatencyBySize } from "@stashlight/contracts/benchmark/result";
import { FigurePanel, prepareBySize } from "@stashlight/ui/figure";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { formatSize } from "../sizes.ts";
import { lookOf } from "./tones.ts";

/** One operation over one connection: others are other experiments. */
function toFigure(endpoints: readonly BenchmarkLatencyBySize[]) {
  return prepareBySize(
    endpoints.map(({ endpoint, points }, place) => ({
      label: endpoint.name,
      tone: lookOf(endpoint.name, place).tone,
      points: points
        .filter(({ operation, connectionCount }) => operation === "PUT" && connectionCount === 1)
        .map(({ sizeBytes, medianMs }) => ({
          sizeBytes,
          sizeLabel: formatSize(sizeBytes),
          seconds: medianMs.value / 1000,
          lowSeconds: medianMs.low === null ? null : medianMs.low / 1000,
          highSeconds: medianMs.high === null ? null : medianMs.high / 1000,
        })),
    })),
  );
}

export function BySize({ planId, period }: { planId: string; period: { fromMs: number; toMs: number } }) {
  const trpc = useTRPC();
  const latency = useQuery(
    trpc.benchmarkResult.latencyBySize.queryOptions(
      { planId, ...period },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <FigurePanel
      title="How does latency grow with size?"
      metric="PUT over one connection, median of the runs' medians with its 95 % interval"
      figure={latency.data === undefined ? null : toFigure(latency.data)}
      exportName="latency-by-size"
      heightPx={240}
    />
  );
}
