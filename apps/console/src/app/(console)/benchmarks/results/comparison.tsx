"use client";
import {
  type BenchmarkComparison,
  type BenchmarkEstimate,
  type BenchmarkSide,
  explainCaveat,
  findPublishedFigures,
  formatBackToBack,
  formatCaveat,
  formatDecision,
  formatPValue,
  formatRates,
  formatSlots,
} from "@stashlight/contracts/benchmark";
import { formatCount, type Status } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel, prepareIntervals } from "@stashlight/ui/figure";
import { PlainTable } from "@stashlight/ui/plain-table";
import { Contamination } from "./contamination.tsx";
import { endpointLine } from "./tones.ts";

export const formatMs = (ms: number): string => `${Number(ms.toPrecision(4))} ms`;

const interval = ({ low, high }: BenchmarkEstimate, format: (value: number) => string): string =>
  low === null || high === null ? "too few slots" : `${format(low)} to ${format(high)}`;

/** The finding as a sentence, a table and a chart. */
export function Comparison({
  comparison,
  hasPublished,
}: {
  comparison: BenchmarkComparison;
  hasPublished: boolean;
}) {
  const { a, b, question, contamination, caveats } = comparison;
  const rows = [a, b].map(({ endpoint, meanMs }, place) => ({
    label: endpoint.name,
    seconds: meanMs.value / 1000,
    lowSeconds: meanMs.low === null ? null : meanMs.low / 1000,
    highSeconds: meanMs.high === null ? null : meanMs.high / 1000,
    tone: endpointLine(endpoint, place).tone,
  }));
  const figures = hasPublished ? findPublishedFigures(question) : [];
  const published = figures.map(({ endpoint, publishedMs }) => ({
    label: `${endpoint} (published)`,
    seconds: publishedMs / 1000,
    lowSeconds: null,
    highSeconds: null,
    tone: "unknown" as const,
    isReference: true,
  }));
  const sources = new Set(figures.map(({ source }) => source.text));
  const publishedCaveats = figures.flatMap(({ source }) => source.caveat ?? []);
  const labels = [a, b].map(({ endpoint }) => endpoint.label).filter((label) => label !== "measured");
  return (
    <div className="flex flex-col gap-4">
      <Callout status={verdictStatus(comparison)} title={comparison.sentence}>
        {formatDecision(comparison)}
      </Callout>
      {contamination !== null && <Contamination contamination={contamination} />}
      {caveats.length > 0 && (
        <Callout status="warning" title={caveats.map(formatCaveat).join(", ")}>
          {caveats.map(explainCaveat).join(" ")}
        </Callout>
      )}
      {comparison.backToBackCount > 0 && (
        <p className="max-w-[72ch] text-muted">{formatBackToBack(comparison)}</p>
      )}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <ComparisonTable comparison={comparison} />
        <FigurePanel
          title="How far apart are they?"
          metric="mean with its 95 % interval"
          figure={prepareIntervals([...rows, ...published])}
          source={published.length > 0 ? `hollow: ${[...sources].join("; ")}` : formatSlots(comparison.slots)}
          caveats={[...new Set([...labels, ...publishedCaveats])]}
          exportName="comparison"
          exportRemarks={{ State: comparison.verdict.kind, Verdict: comparison.sentence }}
          heightPx={60 + 44 * (rows.length + published.length)}
        />
      </div>
    </div>
  );
}

const verdictStatus = ({ verdict }: BenchmarkComparison): Status =>
  verdict.kind === "faster" ? "good" : "info";

function ComparisonTable({ comparison }: { comparison: BenchmarkComparison }) {
  const { a, b, ratio, differenceMs, shiftMs, slots, unpairedCount } = comparison;
  const rows: [name: string, value: string, range: string][] = [
    [`Mean of ${a.endpoint.name}`, formatMs(a.meanMs.value), interval(a.meanMs, formatMs)],
    [`Mean of ${b.endpoint.name}`, formatMs(b.meanMs.value), interval(b.meanMs, formatMs)],
    ["Ratio of means", ratio.value.toFixed(3), interval(ratio, (value) => value.toFixed(3))],
    ["Difference of means", formatMs(differenceMs.value), interval(differenceMs, formatMs)],
    ["Shift of medians (Hodges-Lehmann)", formatMs(shiftMs.value), interval(shiftMs, formatMs)],
    ["Paired t test of means", formatTest(comparison), describeTest(comparison)],
    ["Slots", formatSlots(slots), unpairedCount === 0 ? "" : `${unpairedCount} unpaired`],
    ...describeSuccess(comparison),
  ];
  return (
    <PlainTable label="Comparison" headers={["Figure", "Value", "95 % interval"]} onPhones="wrapped">
      {rows.map(([name, value, range]) => (
        <tr key={name} className="h-8">
          <th scope="row" className="px-3 text-left font-normal">
            {name}
          </th>
          <td className="px-3 text-right whitespace-nowrap text-ink">{value}</td>
          <td className="px-3 text-right whitespace-nowrap text-muted">{range}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

function formatTest({ rule, pValue }: BenchmarkComparison): string {
  if (rule === "earlier") return "not computed by an earlier release";
  return pValue === null ? "too few slots" : formatPValue(pValue);
}

function describeTest({ pValue, verdict }: BenchmarkComparison): string {
  if (verdict.kind === "unequal success") return "not the verdict, which compares success rates";
  return pValue === null ? "" : "corrected for testing after every slot";
}

/**
 * Success rates of both endpoints, because means cover successes only. Uses the rates that the
 * verdict compared, if the release that made it compared them.
 */
function describeSuccess({ a, b, success, unpairedCount }: BenchmarkComparison): [string, string, string][] {
  const rates = success === null ? null : formatRates(success);
  return [a, b].map((side, place) => {
    const ofAll = unpairedCount === 0 ? "" : ", unpaired slots too";
    return rates === null || success === null
      ? [`Succeeded at ${side.endpoint.name}${ofAll}`, shareOk(side), `n ${formatCount(side.sampleCount)}`]
      : [
          `Succeeded at ${side.endpoint.name}`,
          rates[place] ?? "",
          `mean of ${success.slotCount} ${success.slotCount === 1 ? "run" : "runs"}`,
        ];
  });
}

const shareOk = ({ sampleCount, failureCount }: BenchmarkSide): string =>
  `${Number((100 * (1 - failureCount / Math.max(1, sampleCount))).toFixed(2))} %`;
