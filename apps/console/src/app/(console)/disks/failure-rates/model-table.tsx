"use client";
import type { ModelRateRow } from "@stashlight/contracts/failure-rate";
import { formatCount } from "@stashlight/ui";
import { numberColumn, textColumn } from "@stashlight/ui/columns";
import { EmptyState } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { UrlTable } from "../../../../client/url-table.tsx";
import { describeRate, formatRate, shortenSource } from "./rate-words.ts";

const missing = <span className="text-faint">–</span>;

const formatFailures = ({ failures, driveDays }: { failures: number; driveDays: number }): string =>
  `${formatCount(failures)} in ${formatCount(driveDays)} ${driveDays === 1 ? "day" : "days"}`;

const columns: Column<ModelRateRow>[] = [
  { id: "model", header: "Model", hideable: false, value: ({ model }) => model || "unknown" },
  numberColumn("installed", "In use", ({ installedCount }) => installedCount, {
    title: "Physical drives of this fleet that are in use; pods with folders on one drive share it",
  }),
  numberColumn("rate", "Rate, %", ({ rate }) => rate.value, {
    title: "Failures per drive-year, from all counts together, with the 95 % interval",
    cell: (row) => <span title={describeRate(row)}>{formatRate(row.rate)}</span>,
  }),
  numberColumn("own", "Own failures", ({ own }) => own.failures, {
    title: "Drives of this fleet that are marked as failed, and its drive days",
    cell: ({ own }) => (own.driveDays === 0 ? missing : formatFailures(own)),
  }),
  numberColumn("published", "Published, %", ({ published }) => published?.rate.value, {
    title: "Another operator's failures per drive-year, with the exact Poisson interval",
    cell: ({ published }) => (published === null ? missing : formatRate(published.rate)),
  }),
  textColumn("counts", "Published counts", ({ published }) => published?.failures, {
    filterable: false,
    sortable: false,
    cell: ({ published }) => (published === null ? missing : formatFailures(published)),
  }),
  textColumn("source", "Source", ({ published }) => published?.source, {
    cell: ({ published }) =>
      published === null ? (
        "all drives"
      ) : (
        <span title={`${published.source}, ${published.from} to ${published.to}`}>
          {shortenSource(published.source)}
        </span>
      ),
  }),
];

const tableOptions = { columns, defaultSort: { id: "installed", direction: "desc" } } as const;

export function ModelTable({ models }: { models: readonly ModelRateRow[] }) {
  return (
    <UrlTable
      label="Failure rates of models"
      rows={models}
      rowKey={({ model }) => model}
      table={tableOptions}
      empty={<EmptyState title="No model matches the filter" />}
      exportName="failure-rates"
    />
  );
}
