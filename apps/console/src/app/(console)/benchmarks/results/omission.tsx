"use client";
import type { BenchmarkOmissionView } from "@stashlight/contracts/benchmark";
import { formatCount } from "@stashlight/ui";
import { PlainTable } from "@stashlight/ui/plain-table";
import { formatMs } from "./comparison.tsx";

const cell = (ms: number | null) => (ms === null ? <span title="too few samples">–</span> : formatMs(ms));

/** Latency of a client that waits for each answer, beside that of a client that keeps its rate. */
export function Omission({ views }: { views: readonly BenchmarkOmissionView[] }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-base font-medium text-ink">Does waiting hide stalls?</h3>
      <p className="text-sm text-faint">
        A client that waits for each answer sends fewer requests while the server stalls. The corrected
        figures are what a client that kept its pace would have seen. The pace is each run's own for this
        operation and size, from the intervals between its starts. The figures pool the samples of the newest
        50 runs, whereas medians of runs weight each run equally. A failure counts as its timeout.
      </p>
      <OmissionTable views={views} />
    </div>
  );
}

const columnName = (percentile: string): string =>
  `${percentile === "median" ? "median of samples" : percentile}, raw → corrected`;

function OmissionTable({ views }: { views: readonly BenchmarkOmissionView[] }) {
  return (
    <PlainTable
      label="Corrected for coordinated omission"
      headers={["Endpoint", ...(views[0]?.rows ?? []).map(({ percentile }) => columnName(percentile)), "n"]}
      hasUnbrokenHeaders={true}
      onPhones="labelled"
    >
      {views.map(({ endpoint, rows, sampleCount, intervalMs }) => (
        <tr key={endpoint.id} className="h-8">
          <th scope="row" className="px-3 text-left font-normal">
            {endpoint.name}{" "}
            {intervalMs !== null && (
              <span className="text-faint">one operation every {formatMs(intervalMs)}</span>
            )}
          </th>
          {rows.map(({ percentile, rawMs, correctedMs }) => (
            <td
              key={percentile}
              data-label={columnName(percentile)}
              className="px-3 text-right whitespace-nowrap"
            >
              {cell(rawMs)} → {cell(correctedMs)}
            </td>
          ))}
          <td data-label="n" className="px-3 text-right text-muted">
            {formatCount(sampleCount)}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}
