"use client";
import { firstMomentUs, type UploadTraceData } from "@stashlight/contracts/upload";
import { EmptyState } from "@stashlight/ui/feedback";
import type { Column } from "@stashlight/ui/table-state";
import { useMemo } from "react";
import { UrlTable } from "../../../client/url-table.tsx";

interface ShardRow {
  readonly name: string;
  /** Microseconds since the upload's first event. */
  readonly us: Readonly<Record<string, number | null>>;
}

const moments = [
  ["podSent", "To pod"],
  ["podWritten", "Written"],
  ["stashSent", "To stash"],
  ["stashDurable", "Durable"],
  ["flushed", "On HDD"],
  ["purged", "Purged"],
] as const;

const columns: Column<ShardRow>[] = [
  { id: "name", header: "Shard", hideable: false, value: ({ name }) => name },
  ...moments.map(
    ([id, header]): Column<ShardRow> => ({
      id,
      header,
      title: `${header}, ms since the upload began`,
      numeric: true,
      filterable: false,
      hiddenAtFirst: id === "purged",
      value: ({ us }) => {
        const at = us[id];
        return at === null || at === undefined ? null : at / 1_000;
      },
      cell: ({ us }) => {
        const at = us[id];
        return at === null || at === undefined ? "–" : (at / 1_000).toFixed(2);
      },
    }),
  ),
];

const shardRows = (trace: UploadTraceData): ShardRow[] => {
  const firstUs = firstMomentUs(trace);
  const since = (us: number | null) => (us === null ? null : us - firstUs);
  return trace.shards.map(
    (shard): ShardRow => ({
      name: `Shard ${shard.index}`,
      us: {
        podSent: since(shard.podSentUs),
        podWritten: since(shard.podWrittenUs),
        stashSent: since(shard.stashSentUs),
        stashDurable: since(shard.stashDurableUs),
        flushed: since(shard.flushedUs),
        purged: since(shard.purgedUs),
      },
    }),
  );
};

const tableOptions = { columns, prefix: "shard-" };

/** Event times of each shard, in milliseconds since the upload began. */
export function ShardTable({ trace }: { trace: UploadTraceData }) {
  const rows = useMemo(() => shardRows(trace), [trace]);
  return (
    <UrlTable
      label="Shards of the upload, ms since it began"
      table={tableOptions}
      rows={rows}
      rowKey={({ name }) => name}
      empty={
        <EmptyState title="No shard of it is known">The upload ended before a shard was sent.</EmptyState>
      }
      filterBox={false}
      exportName={`upload-${trace.uploadId}`}
    />
  );
}
