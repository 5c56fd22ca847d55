"use client";
import {
  type BenchmarkSweep,
  type BenchmarkSweepCell,
  type BenchmarkSweepPlace,
  formatBasis,
  formatOperation,
  formatPValue,
} from "@stashlight/contracts/benchmark";
import { formatSize } from "@stashlight/contracts/sample";
import { formatCount } from "@stashlight/ui";
import { Callout } from "@stashlight/ui/feedback";
import { FigurePanel } from "@stashlight/ui/figure";
import { PlainTable } from "@stashlight/ui/plain-table";
import { Fragment, useMemo } from "react";
import { formatMs } from "../comparison.tsx";
import { smallMultiples } from "./figures.ts";

/** Fastest endpoint by size, as sentences, charts and a table. */
export function SweepView({ sweep }: { sweep: BenchmarkSweep }) {
  const pictures = useMemo(() => smallMultiples(sweep.places), [sweep.places]);
  return (
    <div className="flex flex-col gap-4">
      {sweep.places.map((place) => (
        <Verdict key={place.planId} place={place} sweep={sweep} />
      ))}
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        {pictures.map(({ key, title, metric, figure }) => (
          <FigurePanel
            key={key}
            title={title}
            metric={`${metric}; median of the runs' medians with its 95 % interval`}
            figure={figure}
            exportName={`sweep-${key.toLowerCase().replaceAll(" ", "-")}`}
            exportRemarks={{ Verdict: sweep.places.flatMap(({ sentences }) => sentences).join(" ") }}
            heightPx={260}
          />
        ))}
      </div>
      {sweep.places.map((place) => (
        <SweepTable key={place.planId} place={place} isOnly={sweep.places.length === 1} />
      ))}
    </div>
  );
}

function Verdict({ place, sweep }: { place: BenchmarkSweepPlace; sweep: BenchmarkSweep }) {
  const { sentences, cells, planName, vantageName } = place;
  const title =
    sweep.places.length === 1 ? "Fastest by operation and size" : `${planName}, from ${vantageName}`;
  const status = cells.some(({ fastest }) => fastest !== null) ? "good" : "info";
  return (
    <Callout status={status} title={title}>
      {sentences.length > 0 && (
        <ul className="mb-1 flex flex-col gap-0.5">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <p className="max-w-[84ch] text-muted">{formatBasis(place, sweep)}</p>
    </Callout>
  );
}

function SweepTable({ place, isOnly }: { place: BenchmarkSweepPlace; isOnly: boolean }) {
  const { series, cells, planName, planId } = place;
  const name = `Medians of runs by operation and size${isOnly ? "" : `: ${planName}`}`;
  return (
    <PlainTable
      label={name}
      region={name}
      headers={[
        "Operation and size",
        ...series.map(({ endpoint, region }) => (
          <Fragment key={endpoint.id}>
            {endpoint.name}
            {region !== null && <span className="block text-sm font-normal text-faint">{region}</span>}
            {endpoint.label !== "measured" && (
              <span className="block text-sm font-normal text-warning">{endpoint.label}</span>
            )}
          </Fragment>
        )),
        "Corrected p",
      ]}
      onPhones="wrapped"
    >
      {cells.map((cell) => (
        <tr key={`${planId} ${cell.operation} ${cell.sizeBytes} ${cell.connectionCount}`}>
          <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap">
            {formatOperation(cell.operation)} {formatSize(cell.sizeBytes)}
            {cell.connectionCount > 1 && <span className="text-faint"> x{cell.connectionCount}</span>}
          </th>
          {series.map(({ endpoint }, at) => (
            <Entry key={endpoint.id} cell={cell} at={at} />
          ))}
          <td className="px-3 py-1 text-right whitespace-nowrap text-muted">{formatCellPValue(cell)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

const formatCellPValue = ({ pValue, because }: BenchmarkSweepCell): string => {
  if (pValue !== null) return formatPValue(pValue);
  return because === "slots" ? "not tested" : "–";
};

function Entry({ cell, at }: { cell: BenchmarkSweepCell; at: number }) {
  const entry = cell.entries.find(({ series }) => series === at);
  if (entry === undefined) return <td className="px-3 py-1 text-right text-faint">no figures</td>;
  const { medianMs, sampleCount, failureCount, contaminatedCount } = entry;
  const isFastest = cell.fastest === at;
  return (
    <td className="px-3 py-1 text-right whitespace-nowrap">
      <span className={isFastest ? "font-medium text-ink" : "text-ink"}>
        {formatMs(medianMs.value)}
        {cell.leader === at && <span className="ml-1.5 text-sm text-muted">leads by mean</span>}
        {isFastest && <span className="ml-1.5 rounded-sm bg-good-soft px-1 text-sm text-good">fastest</span>}
      </span>
      <span className="block text-sm text-faint">
        {medianMs.low === null || medianMs.high === null
          ? "no interval"
          : `${formatMs(medianMs.low)} to ${formatMs(medianMs.high)}`}
        , n {formatCount(sampleCount)}
        {failureCount > 0 && <span className="text-bad">, {formatCount(failureCount)} failed</span>}
        {contaminatedCount > 0 && <span className="text-warning">, {contaminatedCount} contaminated</span>}
      </span>
    </td>
  );
}
