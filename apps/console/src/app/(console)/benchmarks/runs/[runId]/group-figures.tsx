"use client";
import type { BenchmarkGroupRow, BenchmarkRunDetails } from "@stashlight/contracts/benchmark";
import { type BenchmarkSample, type BenchmarkStage, latencyMs } from "@stashlight/contracts/sample";
import { formatCount } from "@stashlight/ui";
import { FigurePanel, prepareHistogram, prepareSamples } from "@stashlight/ui/figure";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTRPC } from "../../../../../client/trpc.tsx";
import { QueryError } from "../../../query-state.tsx";
import { formatSubject } from "../../results/subject.ts";
import { Phases } from "./phases.tsx";
import { stagesWith } from "./stage-rows.ts";

interface GroupFiguresProps {
  runId: string;
  group: BenchmarkGroupRow;
  label: BenchmarkRunDetails["label"];
  stages: readonly BenchmarkStage[];
}

const allStages = "";

/** Samples of an operation and size, per stage: in order, as a distribution, and by phase. */
export function GroupFigures({ runId, group, label, stages }: GroupFiguresProps) {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState(allStages);
  const { operation, sizeBytes, connectionCount } = group;
  const samples = useQuery(
    trpc.benchmarkRun.samples.queryOptions(
      { runId, operation, sizeBytes, connectionCount },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const stagesHere = useMemo(() => stagesWith(stages, samples.data ?? []), [stages, samples.data]);
  const shown = useMemo(() => {
    const stage = stagesHere.find(({ name }) => name === chosen);
    return samples.data?.filter(({ leg = 0 }) => stage?.legs.includes(leg) ?? true);
  }, [samples.data, stagesHere, chosen]);
  const figures = useMemo(() => (shown === undefined ? null : prepareFigures(shown)), [shown]);
  if (samples.isError) {
    return <QueryError what="The samples" error={samples.error} onRetry={() => void samples.refetch()} />;
  }
  const counts = shown === undefined ? group : sampleCounts(shown);
  const source = `${formatCount(counts.n)} samples, ${formatCount(counts.taggedCount)} disturbed, ${formatCount(counts.coldCount)} on a fresh connection`;
  const caveats = label === "measured" ? [] : [label];
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      {stagesHere.length > 1 && (
        <div className="w-60 max-md:w-full xl:col-span-2">
          <Select
            aria-label="Stage"
            options={[
              { value: allStages, label: "All stages" },
              ...stagesHere.map(({ name, title }) => ({ value: name, label: title })),
            ]}
            value={chosen}
            onValueChange={setChosen}
          />
        </div>
      )}
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
        metric={`${formatSubject(group)}, successes only`}
        figure={figures?.histogram ?? null}
        source={source}
        caveats={caveats}
        exportName="histogram"
        heightPx={260}
      />
      {shown !== undefined && <Phases samples={shown} />}
    </div>
  );
}

const sampleCounts = (samples: readonly BenchmarkSample[]) => ({
  n: samples.length,
  taggedCount: samples.filter(({ isTagged }) => isTagged).length,
  coldCount: samples.filter(({ isCold }) => isCold).length,
});

function prepareFigures(samples: readonly BenchmarkSample[]) {
  return {
    samples: prepareSamples(
      samples.map((sample, index) => ({
        index,
        seconds: latencyMs(sample) / 1000,
        kind: sample.outcome !== "ok" ? "failed" : sample.isTagged ? "tagged" : "ok",
      })),
    ),
    histogram: prepareHistogram(
      samples.filter(({ outcome }) => outcome === "ok").map((sample) => latencyMs(sample) / 1000),
    ),
  };
}
