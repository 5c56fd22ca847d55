"use client";
import type {
  BenchmarkUnpaired,
  ComparableSubject,
  ComparedBy,
  UnpairedSide,
} from "@stashlight/contracts/benchmark";
import { formatCount } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { PlainTable } from "@stashlight/ui/plain-table";
import { formatMs } from "../results/comparison.tsx";
import { formatSubject } from "../results/subject.ts";
import { unpairedSentence } from "./unpaired-sentence.ts";

const basis: Record<ComparedBy, string> = {
  samples: "every sample",
  bins: "bins of the tool's histogram, approximate",
  segments: "means of segments of about a second, approximate",
};

const percentileName = (perMillion: number): string => `p${Number((perMillion / 10_000).toFixed(2))}`;

/** Difference between two runs and the evidence for it. */
export function Unpaired({
  comparison,
  subject,
}: {
  comparison: BenchmarkUnpaired;
  subject: ComparableSubject;
}) {
  const { a, b, cliffsDelta, magnitude } = comparison;
  const isApproximate = a.by !== "samples" || b.by !== "samples";
  const rows: [name: string, ofA: string, ofB: string][] = [
    ["Compared by", basis[a.by], basis[b.by]],
    [a.by === "segments" ? "Segments" : "Succeeded", formatCount(a.sampleCount), formatCount(b.sampleCount)],
    ["Failed", failures(a), failures(b)],
    ["Mean", formatMs(a.meanMs), formatMs(b.meanMs)],
    ...a.percentilesMs.map(([perMillion], place): [string, string, string] => [
      percentileName(perMillion),
      percentile(a, place),
      percentile(b, place),
    ]),
    ["Cliff's delta, A against B", cliffsDelta.toFixed(2), magnitude],
  ];
  return (
    <div className="flex flex-col gap-4">
      <Callout status="info" title={unpairedSentence(comparison)}>
        No winner is named, because one run is a single occasion. A schedule that measures both endpoints
        alternately gives a verdict.
      </Callout>
      {isApproximate && (
        <Callout status="warning" title="Percentiles are approximate">
          A file without samples contains histogram bins, within which values are unknown, or means of
          segments, whose percentiles differ from those of operations.
        </Callout>
      )}
      <PlainTable
        label={`Runs compared: ${formatSubject(subject)}`}
        headers={[
          formatSubject(subject),
          ...[a, b].map(({ runId, name }, place) => (
            <a key={runId} className="underline" href={`/benchmarks/runs/${runId}`}>
              {`${place === 0 ? "A" : "B"}: ${name}`}
            </a>
          )),
        ]}
      >
        {rows.map(([name, ofA, ofB]) => (
          <tr key={name} className="h-8">
            <th scope="row" className="px-3 text-left font-normal">
              {name}
            </th>
            <td className="px-3 text-right">{ofA}</td>
            <td className="px-3 text-right">{ofB}</td>
          </tr>
        ))}
      </PlainTable>
    </div>
  );
}

const failures = ({ failureCount }: UnpairedSide): string =>
  failureCount === null ? "not in the file" : formatCount(failureCount);

function percentile({ by, percentilesMs }: UnpairedSide, place: number): string {
  const value = percentilesMs[place]?.[1] ?? null;
  if (value === null) return "too few samples";
  return by === "samples" ? formatMs(value) : `about ${formatMs(value)}`;
}
