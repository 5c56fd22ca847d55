"use client";
import { formatBytes } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { CopyableId, Time } from "@stashlight/ui/data";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartLine, Layers, Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { toProblem } from "../../../client/errors.ts";
import { inVault } from "../../../client/metrics/scope.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryError } from "../query-state.tsx";
import { ShardTable } from "./shard-table.tsx";
import { formatUploadPath } from "./upload-path.ts";
import { prepareWaterfall } from "./waterfall.ts";
import { WaterfallChart } from "./waterfall-chart.tsx";

/** Durations within one upload, fetched once because a trace does not change. */
export function WaterfallPanel({ uploadId }: { uploadId: string }) {
  const trpc = useTRPC();
  const { isSeveral } = useScope();
  const query = useQuery(
    trpc.trace.get.queryOptions(
      { uploadId },
      { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const [isTable, setIsTable] = useState(false);
  const waterfall = useMemo(
    () => (query.data === undefined ? null : prepareWaterfall(query.data.trace)),
    [query.data],
  );
  if (query.isError) {
    const { message, reason } = toProblem(query.error);
    if (reason === "not_found") {
      return (
        <EmptyState icon={<Layers />} title="This upload has no trace">
          {message} Choose another upload in the list.
        </EmptyState>
      );
    }
    return <QueryError what="The upload" error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (query.data === undefined || waterfall === null) return <Skeleton height={560} />;
  const { trace, totalSeconds, sizeBytes, startedAt, nodeName, vault, isSimulated } = query.data;
  const total = formatQuantity("seconds", totalSeconds);
  return (
    <section
      aria-label={`Upload ${trace.uploadId}`}
      className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-surface px-3 pt-2.5 pb-3"
    >
      <header className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <h3 className="text-base font-medium text-ink tabular-nums">
            {total.value} {total.unit} · {formatBytes(sizeBytes)} · {formatUploadPath(trace)}
          </h3>
          <p className="text-sm text-pretty text-faint">
            into {trace.bucket}, <Time value={startedAt} />, measured by {inVault(nodeName, vault, isSeveral)}
            {isSimulated && <span className="text-warning"> · simulated</span>}
          </p>
          <CopyableId value={trace.uploadId} label="upload ID" />
        </div>
        <Button
          variant="quiet"
          size="sm"
          aria-pressed={isTable}
          aria-label="View the upload as table"
          title={isTable ? "View as chart" : "View as table"}
          icon={isTable ? <ChartLine aria-hidden="true" /> : <Table2 aria-hidden="true" />}
          onClick={() => setIsTable(!isTable)}
        />
      </header>
      <p className="text-pretty text-muted">{waterfall.summary}</p>
      {isTable ? <ShardTable trace={trace} /> : <WaterfallChart waterfall={waterfall} />}
    </section>
  );
}
