"use client";
import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { formatCount } from "@stashlight/ui";
import { PlainTable } from "@stashlight/ui/plain-table";
import { formatMs } from "../../results/comparison.tsx";
import { formatSubject, subjectKey } from "../../results/subject.ts";
import { roundTripRows } from "./round-trips.ts";

const headers = [
  "Operation",
  "Median",
  "RTT, median",
  "RTT, p95",
  "Median in RTTs",
  "In time",
  "Late or failed",
];

/** Network time beside the total latency; renders nothing if no sample had a ping. */
export function RoundTripTable({ groups }: { groups: readonly BenchmarkGroupRow[] }) {
  const rows = roundTripRows(groups);
  if (rows.length === 0) return null;
  return (
    <PlainTable label="Round trips" headers={headers} onPhones="labelled">
      {rows.map(({ group, medianMs, rttMedianMs, rttP95Ms, inRtts, inTimeCount, missedCount }) => (
        <tr key={subjectKey(group)} className="h-8">
          <th scope="row" className="px-3 text-left font-normal whitespace-nowrap">
            {formatSubject(group)}
          </th>
          <Figure label={headers[1]} value={medianMs} format={formatMs} />
          <Figure label={headers[2]} value={rttMedianMs} format={formatMs} />
          <Figure label={headers[3]} value={rttP95Ms} format={formatMs} />
          <Figure label={headers[4]} value={inRtts} format={(count) => count.toFixed(1)} />
          <Figure label={headers[5]} value={inTimeCount} format={formatCount} />
          <Figure label={headers[6]} value={missedCount} format={formatCount} />
        </tr>
      ))}
    </PlainTable>
  );
}

interface FigureProps {
  readonly label: string | undefined;
  readonly value: number | null;
  readonly format: (value: number) => string;
}

function Figure({ label, value, format }: FigureProps) {
  return (
    <td data-label={label} className="px-3 text-right whitespace-nowrap">
      {value === null ? <span className="text-faint">–</span> : format(value)}
    </td>
  );
}
