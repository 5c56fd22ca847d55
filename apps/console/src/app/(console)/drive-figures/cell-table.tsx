"use client";
import { byPlace, cellIops, type DiskCellRow, mainLatency } from "@stashlight/contracts/disk";
import { formatSize } from "@stashlight/contracts/sample";
import { formatBytes } from "@stashlight/ui";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { EmptyState, StatusDot } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { useMemo } from "react";
import { UrlTable } from "../../../client/url-table.tsx";
import { formatPercent, formatRate, formatUs, megabytesPerSecond } from "./format-figures.ts";

const cellOperation = ({ result: { cell } }: DiskCellRow): string => {
  const share =
    cell.readShare === 1
      ? "reads"
      : cell.readShare === 0
        ? "writes"
        : `${formatPercent(cell.readShare)} reads`;
  return cell.syncsWrites ? `synced appends, ${share}` : `${cell.access} ${share}`;
};

const percentile = (id: "p50Us" | "p99Us" | "p999Us", header: string): Column<DiskCellRow> => ({
  id,
  header,
  numeric: true,
  filterable: false,
  value: ({ result }) => mainLatency(result)[id],
  cell: ({ result }) => formatUs(mainLatency(result)[id]),
});

/** State at the end of the cell, which shows whether the drive can sustain its rate. */
function settled({ result: { cell, steadyState } }: DiskCellRow): string {
  if (cell.roundSeconds === null) return "whole time";
  return steadyState?.isSteady === true ? "steady" : "did not settle";
}

const columns: Column<DiskCellRow>[] = [
  { id: "operation", header: "Operation", hideable: false, value: cellOperation },
  {
    id: "block",
    header: "Block",
    numeric: true,
    value: ({ result }) => result.cell.blockBytes,
    cell: ({ result }) => formatSize(result.cell.blockBytes),
  },
  {
    id: "depth",
    header: "Queue",
    title: "Queue depth",
    numeric: true,
    value: ({ result }) => result.cell.queueDepth,
  },
  numberColumn("iops", "IOPS", ({ result }) => cellIops(result), {
    cell: ({ result }) => formatRate(cellIops(result)),
  }),
  numberColumn("mbps", "MB/s", ({ result }) => megabytesPerSecond(cellIops(result), result.cell.blockBytes), {
    cell: ({ result }) => formatRate(megabytesPerSecond(cellIops(result), result.cell.blockBytes)),
  }),
  percentile("p50Us", "p50"),
  percentile("p99Us", "p99"),
  percentile("p999Us", "p99.9"),
  numberColumn("n", "n", ({ result }) => result.read.n + result.write.n, {
    title: "Requests",
    cell: ({ result }) => formatRate(result.read.n + result.write.n),
  }),
  textColumn("rate", "Rate", settled, {
    cell: (row) => {
      const how = settled(row);
      return <StatusDot status={how === "did not settle" ? "warning" : "good"} label={how} />;
    },
  }),
  numberColumn("written", "Written", ({ result }) => result.writtenBytes, {
    hiddenAtFirst: true,
    cell: ({ result }) => formatBytes(result.writtenBytes),
  }),
  {
    id: "run",
    header: "Run",
    numeric: true,
    hiddenAtFirst: true,
    value: ({ repetition }) => repetition + 1,
  },
];

const tableOptions = { columns, defaultSort: null, prefix: "cells-" } as const;

/** All finished cells. */
export function CellTable({ cells }: { cells: readonly DiskCellRow[] }) {
  const rows = useMemo(
    () => cells.toSorted((a, b) => byPlace(a.result.cell, b.result.cell) || a.repetition - b.repetition),
    [cells],
  );
  return (
    <UrlTable
      label="Measured cells"
      rows={rows}
      rowKey={({ place }) => String(place)}
      table={tableOptions}
      empty={
        <EmptyState title="No cells measured yet">
          A cell is listed as soon as it has been measured.
        </EmptyState>
      }
      pageSize={30}
      exportName="cells"
    />
  );
}
