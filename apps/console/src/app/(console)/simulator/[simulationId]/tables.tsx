"use client";
import type { ApiOutputs } from "@stashlight/api";
import { formatBytes, formatCount, formatElapsed, MISSING } from "@stashlight/ui";
import type { ReactNode } from "react";
import { errorPercent, type ScenarioResult } from "../result-charts.ts";

type Simulation = ApiOutputs["simulation"]["get"];

export function Figures({
  label,
  head,
  rows,
}: {
  label: string;
  head: readonly string[];
  rows: readonly ReactNode[][];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where it is narrow, so the keyboard must reach it.
    <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-md border border-line">
      <table className="w-full text-base">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line text-muted">
            {head.map((name, i) => (
              <th
                key={name}
                scope="col"
                className={`px-3 py-1.5 font-medium whitespace-nowrap ${i === 0 ? "text-left" : "text-right"}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row} className="border-b border-line last:border-b-0">
              {cells.map((cell, i) => (
                <td
                  key={head[i]}
                  className={`px-3 py-1.5 tabular-nums ${i === 0 ? "min-w-48 text-muted" : "text-right whitespace-nowrap text-ink"}`}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export const percent = (value: number): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)} %`;
const difference = (simulated: number, formula: number): string =>
  formula === 0 ? MISSING : percent(errorPercent(simulated, formula));
const seconds = (value: number | null): string => (value === null ? MISSING : `${value.toPrecision(3)} s`);

export function FormulaTable({ result }: { result: ScenarioResult }) {
  const { formula, purgeLag } = result;
  const residence = formula.residenceSecondsSimulated;
  return (
    <Figures
      label="Formula beside simulation"
      head={["Figure", "Formula", "Simulated", "Difference"]}
      rows={[
        [
          "Mean on the stash: rate × bytes × residence (Little’s law), in the first stretch",
          formatBytes(formula.occupancyBytesByLittle),
          formatBytes(formula.occupancyBytesSimulated),
          percent(formula.differencePercent),
        ],
        [
          `Residence: half a flush interval, one flush, the purge’s wait (n ${formatCount(purgeLag?.sampleCount ?? 0)})`,
          seconds(formula.residenceSecondsByFormula),
          seconds(residence),
          residence === null ? MISSING : difference(residence, formula.residenceSecondsByFormula),
        ],
        [
          "Required: the highest rate for the longer of residence and outage, as if all pods were away",
          formatBytes(formula.requiredBytesByFormula),
          formatBytes(formula.highestBytesSimulated),
          difference(formula.highestBytesSimulated, formula.requiredBytesByFormula),
        ],
        [
          "Required for only the pods that are away",
          formatBytes(formula.requiredBytesOfAwayPods),
          formatBytes(formula.highestBytesSimulated),
          difference(formula.highestBytesSimulated, formula.requiredBytesOfAwayPods),
        ],
      ]}
    />
  );
}

export function Stretches({ simulation, result }: { simulation: Simulation; result: ScenarioResult }) {
  const { uploadCount, eventCount, stashDrive } = result;
  const { processorSeconds } = simulation;
  const speed = processorSeconds
    ? `, ${formatCount(eventCount / processorSeconds)} per second of processor time (${processorSeconds.toFixed(1)} s)`
    : "";
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        {formatCount(uploadCount.run)} of {formatCount(uploadCount.expected)} uploads,{" "}
        {formatCount(eventCount)} protocol events{speed}. A stash drive was busy{" "}
        {(stashDrive.utilisation * 100).toFixed(2)} % of the time, with{" "}
        {stashDrive.shardsPerCommit.toFixed(2)} shards per sync; a sync waited{" "}
        {stashDrive.waitUsMean.toFixed(0)} µs for it (n {formatCount(stashDrive.sampleCount)} syncs). Left
        out: segments that are not yet recycled, reads, and other coordinators.
      </p>
      <Figures
        label="Stretches"
        head={["Faults", "From", "To", "Uploads", "Events", "Share of the rate"]}
        rows={result.stretches.map((stretch) => [
          stretch.faults,
          formatElapsed(stretch.fromSecond * 1000),
          formatElapsed(stretch.toSecond * 1000),
          formatCount(stretch.uploadCount),
          formatCount(stretch.eventCount),
          `${(stretch.rateScale * 100).toPrecision(3)} %`,
        ])}
      />
    </div>
  );
}
