"use client";
import type { ModelRateRow } from "@stashlight/contracts/failure-rate/drive-state";
import { formatCount } from "@stashlight/ui";
import { EmptyState } from "@stashlight/ui/feedback";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { useTableState } from "../../../../client/url-state.ts";
import { describeRate, formatRate } from "./rate-words.ts";

const missing = <span className="text-faint">–</span>;

const formatFailures = ({ failures, driveDays }: { failures: number; driveDays: number }): string =>
  `${formatCount(failures)} in ${formatCount(driveDays)} ${driveDays === 1 ? "day" : "days"}`;

const columns: Column<ModelRateRow>[] = [
  { id: "model", header: "Model", hideable: false, value: ({ model }) => model || "unknown" },
  {
    id: "installed",
    header: "In use",
    title: "Physical drives of this fleet that are in use; pods with folders on one drive share it",
    numeric: true,
    filterable: false,
    value: ({ installedCount }) => installedCount,
  },
  {
    id: "rate",
    header: "Rate, %",
    title: "Failures a drive-year, by all counts together, with the 95 % interval",
    numeric: true,
    filterable: false,
    value: ({ rate }) => rate.value,
    cell: (row) => <span title={describeRate(row)}>{formatRate(row.rate)}</span>,
  },
  {
    id: "own",
    header: "Own failures",
    title: "Drives of this fleet that are marked as failed, and its drive days",
    numeric: true,
    filterable: false,
    value: ({ own }) => own.failures,
    cell: ({ own }) => (own.driveDays === 0 ? missing : formatFailures(own)),
  },
  {
    id: "published",
    header: "Published, %",
    title: "Failures a drive-year of another operator, with the exact Poisson interval",
    numeric: true,
    filterable: false,
    value: ({ published }) => published?.rate.value,
    cell: ({ published }) => (published === null ? missing : formatRate(published.rate)),
  },
  {
    id: "counts",
    header: "Published counts",
    filterable: false,
    sortable: false,
    value: ({ published }) => published?.failures,
    cell: ({ published }) => (published === null ? missing : formatFailures(published)),
  },
  {
    id: "source",
    header: "Source",
    value: ({ published }) => published?.source,
    cell: ({ published }) =>
      published === null ? (
        "all drives"
      ) : (
        <span title={`${published.from} to ${published.to}`}>{published.source}</span>
      ),
  },
];

const tableOptions = { columns, defaultSort: { id: "installed", direction: "desc" } } as const;

export function ModelTable({ models }: { models: readonly ModelRateRow[] }) {
  const [state, setState] = useTableState(tableOptions);
  return (
    <DataTable
      label="Failure rates of models"
      columns={columns}
      rows={models}
      rowKey={({ model }) => model}
      state={state}
      onStateChange={setState}
      empty={<EmptyState title="No model matches the filter" />}
      exportName="failure-rates"
    />
  );
}
