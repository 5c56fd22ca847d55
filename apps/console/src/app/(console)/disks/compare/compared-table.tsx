import type { ComparedFigure, DriveComparison } from "@stashlight/contracts/disk";
import { PlainTable } from "@stashlight/ui/plain-table";
import { Fragment } from "react";
import { formatDollars } from "../../benchmarks/format-plan.ts";
import {
  formatIops,
  formatMegabytes,
  formatPercent,
  formatRate,
  formatUs,
  priceFor,
} from "../../drive-figures/format-figures.ts";

/** One row per cell and one column per group; the fastest value of a row is bold. */
export function ComparedTable({ comparison: { groups, cells } }: { comparison: DriveComparison }) {
  return (
    <PlainTable
      label="Compared cells"
      region="Compared cells"
      headers={[
        "Cell",
        ...groups.map(({ name, hostCount, driveNames, isModelled, pricePerMonth }) => (
          <Fragment key={name}>
            {name}
            <span className="block text-sm font-normal text-faint" title={driveNames.join(", ")}>
              {hostCount} {hostCount === 1 ? "machine" : "machines"}
              {pricePerMonth === null ? "" : `, ${formatDollars(pricePerMonth)} per month`}
            </span>
            {isModelled && <span className="block text-sm font-normal text-warning">modelled</span>}
          </Fragment>
        )),
        "Verdict",
      ]}
      hasUnbrokenHeaders={true}
      endsInWords={true}
    >
      {cells.map(({ title, cell, figures, verdicts }) => {
        const most = Math.max(...figures.map((figure) => figure?.iops ?? 0));
        return (
          <tr key={title} className="align-top">
            <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap">
              {title}
            </th>
            {figures.map((figure, at) => (
              <Entry
                key={groups[at]?.name}
                figure={figure}
                blockBytes={cell.blockBytes}
                pricePerMonth={groups[at]?.pricePerMonth ?? null}
                isMost={figure !== null && figure.iops === most}
              />
            ))}
            <td className="min-w-72 px-3 py-1 text-pretty text-muted">{verdicts.join(" ") || "–"}</td>
          </tr>
        );
      })}
    </PlainTable>
  );
}

interface EntryProps {
  figure: ComparedFigure | null;
  blockBytes: number;
  pricePerMonth: number | null;
  isMost: boolean;
}

function Entry({ figure, blockBytes, pricePerMonth, isMost }: EntryProps) {
  if (figure === null) return <td className="px-3 py-1 text-right text-faint">–</td>;
  const { iops, interval, p50Us, p99Us, spread, runCount } = figure;
  const price = priceFor(pricePerMonth, iops, 1_000);
  return (
    <td className="px-3 py-1 text-right whitespace-nowrap">
      <span className={isMost ? "font-medium text-ink" : ""}>{formatIops(iops)}</span>
      <span className="block text-sm text-muted">
        {formatMegabytes(iops, blockBytes)}, p50 {formatUs(p50Us)}, p99 {formatUs(p99Us)}
      </span>
      <span className="block text-sm text-faint">
        {interval === null
          ? `${runCount} ${runCount === 1 ? "run" : "runs"}, no interval`
          : `${formatRate(interval.low)} to ${formatRate(interval.high)} (${formatPercent(interval.confidence)}), ${runCount} runs`}
      </span>
      {spread !== null && (
        <span className="block text-sm text-faint">
          spread {formatPercent(spread.hosts)} machines, {formatPercent(spread.runs)} runs,{" "}
          {formatPercent(spread.seconds)} seconds
        </span>
      )}
      {price !== null && (
        <span className="block text-sm text-faint">{formatDollars(price)} per month for 1,000 IOPS</span>
      )}
    </td>
  );
}
