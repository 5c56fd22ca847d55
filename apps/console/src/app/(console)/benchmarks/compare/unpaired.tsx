"use client";
import type {
  BenchmarkUnpaired,
  ComparableSubject,
  ComparedBy,
  UnpairedSide,
} from "@stashlight/contracts/benchmark/result";
import { formatPValue } from "@stashlight/contracts/benchmark/words";
import { formatCount } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { formatMs } from "../results/comparison.tsx";
import { formatSubject } from "../results/subject.ts";

const basis: Record<ComparedBy, string> = {
  samples: "every sample",
  bins: "bins of the tool's histogram, approximate",
  segments: "means of segments of about a second, approximate",
};

const percentileName = (perMillion: number): string => `p${Number((perMillion / 10_000).toFixed(2))}`;

/** How two runs differ, with what that rests on. */
export function Unpaired({
  comparison,
  subject,
}: {
  comparison: BenchmarkUnpaired;
  subject: ComparableSubject;
}) {
  const { a, b } = comparison;
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
  ];
  return (
    <div className="flex flex-col gap-4">
      <Callout status="info" title={sentenceOf(comparison)}>
        {figuresOf(comparison)} This is no verdict on the endpoints: the samples of one run are one occasion.
      </Callout>
      {isApproximate && (
        <Callout status="warning" title="Percentiles are approximate">
          A file without samples has its tool's bins, within which values are not known, or means of segments,
          whose percentiles are not those of operations.
        </Callout>
      )}
      <div className="overflow-x-auto rounded-md border border-line bg-surface">
        <table aria-label={`Runs compared: ${formatSubject(subject)}`} className="w-full tabular-nums">
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="px-3 py-1.5 font-medium">
                {formatSubject(subject)}
              </th>
              {[a, b].map(({ runId, name }, place) => (
                <th key={runId} scope="col" className="px-3 py-1.5 text-right font-medium">
                  <a className="underline" href={`/benchmarks/runs/${runId}`}>
                    {`${place === 0 ? "A" : "B"}: ${name}`}
                  </a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {rows.map(([name, ofA, ofB]) => (
              <tr key={name} className="h-8">
                <th scope="row" className="px-3 text-left font-normal">
                  {name}
                </th>
                <td className="px-3 text-right">{ofA}</td>
                <td className="px-3 text-right">{ofB}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Tests of a few samples say nothing, however they come out. */
function figuresOf({
  shiftMs: { value, low, high },
  pValue,
  cliffsDelta,
  magnitude,
}: BenchmarkUnpaired): string {
  const shift = `Shift of medians (Hodges-Lehmann) ${formatMs(value)}`;
  if (low === null || high === null) return `${shift}, without an interval.`;
  const test = `Mann-Whitney ${formatPValue(pValue)}; Cliff's delta ${cliffsDelta.toFixed(2)}, ${magnitude}.`;
  return `${shift}, 95 % interval ${formatMs(low)} to ${formatMs(high)}; ${test}`;
}

const failures = ({ failureCount }: UnpairedSide): string =>
  failureCount === null ? "not in the file" : formatCount(failureCount);

function percentile({ by, percentilesMs }: UnpairedSide, place: number): string {
  const value = percentilesMs[place]?.[1] ?? null;
  if (value === null) return "too few samples";
  return by === "samples" ? formatMs(value) : `about ${formatMs(value)}`;
}

/** An interval of the shift that holds zero says that they may not differ. */
function sentenceOf({ a, b, shiftMs: { value, low, high } }: BenchmarkUnpaired): string {
  if (low === null || high === null) return `Too few samples to tell whether ${a.name} and ${b.name} differ`;
  if (low <= 0 && high >= 0) return `No difference between ${a.name} and ${b.name} was found`;
  const [quick, slow] = value < 0 ? [a.name, b.name] : [b.name, a.name];
  return `In these runs ${quick} was faster than ${slow}, by ${formatMs(Math.abs(value))} at the median`;
}
