"use client";
import type { BenchmarkGroupRow } from "@stashlight/contracts/benchmark";
import { percentileSamplesMin } from "@stashlight/stats/rank";
import { formatCount } from "@stashlight/ui";
import { numberColumn } from "@stashlight/ui/columns";
import type { Column } from "@stashlight/ui/table-state";
import { UrlTable } from "../../../../../client/url-table.tsx";
import { formatMs } from "../../results/comparison.tsx";
import { formatSubject, subjectKey } from "../../results/subject.ts";

/** Columns with their quantile in parts per million, which determines the samples needed. */
const percentiles = [
  { id: "p5", header: "p5", of: (group: BenchmarkGroupRow) => group.p5Ms, perMillion: 50_000 },
  { id: "p25", header: "p25", of: (group: BenchmarkGroupRow) => group.p25Ms, perMillion: 250_000 },
  { id: "median", header: "Median", of: (group: BenchmarkGroupRow) => group.medianMs, perMillion: 500_000 },
  { id: "p75", header: "p75", of: (group: BenchmarkGroupRow) => group.p75Ms, perMillion: 750_000 },
  { id: "p90", header: "p90", of: (group: BenchmarkGroupRow) => group.p90Ms, perMillion: 900_000 },
  { id: "p95", header: "p95", of: (group: BenchmarkGroupRow) => group.p95Ms, perMillion: 950_000 },
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
  { id: "subject", header: "Operation", hideable: false, value: formatSubject },
  numberColumn("n", "n", ({ n }) => n, { cell: ({ n }) => formatCount(n) }),
  numberColumn("failed", "Failed", ({ failureCount }) => failureCount),
  numberColumn("tagged", "Disturbed", ({ taggedCount }) => taggedCount),
  msColumn("mean", "Mean", ({ meanMs }) => meanMs),
  msColumn("sd", "sd", ({ sdMs }) => sdMs),
  msColumn("min", "Minimum", ({ minMs }) => minMs),
  ...percentiles.map(({ id, header, of, perMillion }) => ({
    ...msColumn(id, header, of, percentileSamplesMin(perMillion)),
    hiddenAtFirst: id === "p5" || id === "p25",
  })),
  msColumn("max", "Maximum", ({ maxMs }) => maxMs),
];

const tableOptions = { columns, defaultSort: { id: "subject", direction: "asc" } } as const;

/**
 * All figures of a run. A dash replaces a figure with too few samples; its tooltip shows how many
 * it needs.
 */
export function GroupTable({ groups }: { groups: readonly BenchmarkGroupRow[] }) {
  return (
    <UrlTable
      label="Figures"
      rows={groups}
      rowKey={subjectKey}
      table={tableOptions}
      status="ready"
      empty={<p className="p-4 text-muted">No samples.</p>}
      exportName="run"
    />
  );
}
