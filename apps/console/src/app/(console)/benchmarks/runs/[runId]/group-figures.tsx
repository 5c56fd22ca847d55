"use client";
import type { BenchmarkGroupRow, BenchmarkRunDetails } from "@stashlight/contracts/benchmark/plan";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
import { formatCount } from "@stashlight/ui";
import { FigurePanel, prepareHistogram, prepareSamples } from "@stashlight/ui/figure";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { QueryError } from "../../../query-state.tsx";
import { formatSubject } from "../../results/subject.ts";
import { Phases } from "./phases.tsx";

interface GroupFiguresProps {
  runId: string;
  group: BenchmarkGroupRow;
  label: BenchmarkRunDetails["label"];
}

/** Every sample of an operation and size: in their order, how they are distributed, and what their time went into. */
export function GroupFigures({ runId, group, label }: GroupFiguresProps) {
  const trpc = useTRPC();
  const { operation, sizeBytes, connectionCount } = group;
  const samples = useQuery(
    trpc.benchmarkRun.samples.queryOptions(
      { runId, operation, sizeBytes, connectionCount },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const figures = useMemo(
    () => (samples.data === undefined ? null : figuresOf(samples.data)),
    [samples.data],
  );
  if (samples.isError) {
    return <QueryError what="The samples" error={samples.error} onRetry={() => void samples.refetch()} />;
  }
  const source = `${formatCount(group.n)} samples, ${formatCount(group.taggedCount)} disturbed, ${formatCount(group.coldCount)} on a fresh connection`;
  const caveats = label === "measured" ? [] : [label];
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <FigurePanel
        title="Does it change while it runs?"
        metric={`${formatSubject(group)}, each sample`}
        figure={figures?.samples ?? null}
        source={source}
        caveats={caveats}
        exportName="samples"
        heightPx={260}
      />
      <FigurePanel
        title="How are the durations distributed?"
        metric={`${formatSubject(group)}, those that succeeded`}
        figure={figures?.histogram ?? null}
        source={source}
        caveats={caveats}
        exportName="histogram"
        heightPx={260}
      />
      {samples.data !== undefined && <Phases samples={samples.data} />}
    </div>
  );
}

function figuresOf(samples: readonly BenchmarkSample[]) {
  return {
    samples: prepareSamples(
      samples.map(({ wireMs, outcome, isTagged }, index) => ({
        index,
        seconds: wireMs / 1000,
        kind: outcome !== "ok" ? "failed" : isTagged ? "tagged" : "ok",
      })),
    ),
    histogram: prepareHistogram(
      samples.filter(({ outcome }) => outcome === "ok").map(({ wireMs }) => wireMs / 1000),
    ),
  };
}
