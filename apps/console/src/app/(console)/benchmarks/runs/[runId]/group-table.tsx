"use client";
import type { BenchmarkGroupRow } from "@stashlight/contracts";
import { formatCount } from "@stashlight/ui";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { useTableState } from "../../../../../client/url-state.ts";
import { formatMs } from "../../results/comparison.tsx";
import { saySubject, subjectKey } from "../../results/subject.ts";

/** A percentile is one of the last few values with fewer samples than this (Wilks): it is shown grey. */
const percentiles = [
  { id: "p5", header: "p5", of: (group: BenchmarkGroupRow) => group.p5Ms, sampleCountMin: 59 },
  { id: "p25", header: "p25", of: (group: BenchmarkGroupRow) => group.p25Ms, sampleCountMin: 11 },
  { id: "median", header: "Median", of: (group: BenchmarkGroupRow) => group.medianMs, sampleCountMin: 6 },
  { id: "p75", header: "p75", of: (group: BenchmarkGroupRow) => group.p75Ms, sampleCountMin: 11 },
  { id: "p90", header: "p90", of: (group: BenchmarkGroupRow) => group.p90Ms, sampleCountMin: 29 },
  { id: "p95", header: "p95", of: (group: BenchmarkGroupRow) => group.p95Ms, sampleCountMin: 59 },
] as const;

const msColumn = (
  id: string,
  header: string,
  of: (group: BenchmarkGroupRow) => number | null,
  sampleCountMin = 1,
): Column<BenchmarkGroupRow> => ({
  id,
  header,
  title: `${header}, ms`,
  numeric: true,
  filterable: false,
  value: of,
  cell: (group) => {
    const ms = of(group);
    if (ms === null) return <span className="text-faint">–</span>;
    if (group.n < sampleCountMin) {
      return (
        <span className="text-faint" title={`needs ${sampleCountMin} samples, has ${group.n}`}>
          –
        </span>
      );
    }
    return <span className="whitespace-nowrap">{formatMs(ms)}</span>;
  },
});

const columns: Column<BenchmarkGroupRow>[] = [
  { id: "subject", header: "Operation", hideable: false, value: saySubject },
  {
    id: "n",
    header: "n",
    numeric: true,
    filterable: false,
    value: ({ n }) => n,
    cell: ({ n }) => formatCount(n),
  },
  {
    id: "failed",
    header: "Failed",
    numeric: true,
    filterable: false,
    value: ({ failureCount }) => failureCount,
  },
  {
    id: "tagged",
    header: "Disturbed",
    numeric: true,
    filterable: false,
    value: ({ taggedCount }) => taggedCount,
  },
  msColumn("mean", "Mean", ({ meanMs }) => meanMs),
  msColumn("sd", "sd", ({ sdMs }) => sdMs),
  msColumn("min", "Least", ({ minMs }) => minMs),
  ...percentiles.map(({ id, header, of, sampleCountMin }) => msColumn(id, header, of, sampleCountMin)),
  msColumn("max", "Greatest", ({ maxMs }) => maxMs),
];

const tableOptions = { columns, defaultSort: { id: "subject", direction: "asc" } } as const;

/** All figures of a run; those with too few samples are struck out, and say how many they need. */
export function GroupTable({ groups }: { groups: readonly BenchmarkGroupRow[] }) {
  const [state, setState] = useTableState(tableOptions);
  return (
    <DataTable
      label="Figures"
      columns={columns}
      rows={groups}
      rowKey={subjectKey}
      state={state}
      onStateChange={setState}
      status="ready"
      empty={<p className="p-4 text-muted">No samples.</p>}
      exportName="run"
    />
  );
}
