"use client";
import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { lateStartMsMin } from "@stashlight/contracts/sample";
import { formatCount } from "@stashlight/ui";
import { PlainTable } from "@stashlight/ui/plain-table";
import { formatMs } from "../../results/comparison.tsx";
import { formatSubject, subjectKey } from "../../results/subject.ts";
import { type StartRow, startRows } from "./start-rows.ts";

/** Start delays at a constant rate, or actual pauses in a closed loop. */
export function StartTable({ groups }: { groups: readonly BenchmarkGroupRow[] }) {
  const { due, pauses } = startRows(groups);
  return (
    <>
      {due.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="text-sm text-faint">
            Latencies of this run are measured from when each operation was due, so they include a late start.
            No operation is skipped: without a free connection it starts late. The service time is measured
            from when the request was written.
          </p>
          <Table
            label="Starts"
            headers={[
              "Operation",
              "Late by, p50",
              "p99",
              "Maximum",
              `${lateStartMsMin} ms or more late`,
              "Service time, median",
              "p95",
              "Maximum",
            ]}
            rows={due}
          />
        </div>
      )}
      {pauses.length > 0 && (
        <Table
          label="Actual pauses"
          headers={["Operation", "Actual pause, p50", "p99", "Maximum"]}
          rows={pauses}
        />
      )}
    </>
  );
}

interface TableProps {
  label: string;
  headers: readonly string[];
  rows: readonly StartRow[];
}

function Table({ label, headers, rows }: TableProps) {
  return (
    <PlainTable label={label} headers={headers}>
      {rows.map(({ group, startsMs, lateCount, serviceMs }) => (
        <tr key={subjectKey(group)} className="h-8">
          <th scope="row" className="px-3 text-left font-normal whitespace-nowrap">
            {formatSubject(group)}
          </th>
          <Durations values={startsMs} />
          {lateCount !== null && (
            <td className="px-3 text-right whitespace-nowrap">
              {formatCount(lateCount)} of {formatCount(group.n)}
            </td>
          )}
          <Durations values={serviceMs} />
        </tr>
      ))}
    </PlainTable>
  );
}

const Durations = ({ values }: { values: readonly (number | null)[] }) =>
  values.map((value, i) => (
    <td key={i} className="px-3 text-right whitespace-nowrap">
      {value === null ? (
        <span className="text-faint" title="too few samples">
          –
        </span>
      ) : (
        formatMs(value)
      )}
    </td>
  ));
