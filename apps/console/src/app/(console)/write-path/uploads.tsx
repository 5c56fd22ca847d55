"use client";
import { metricLabelValues } from "@stashlight/contracts/metrics";
import type { UploadTraceRow } from "@stashlight/contracts/upload";
import { formatBytes, formatCount, lazyPart } from "@stashlight/ui";
import { numberColumn, timeColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Section } from "@stashlight/ui/layout";
import { Select } from "@stashlight/ui/select";
import type { Column } from "@stashlight/ui/table-state";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Route } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { latestAnswerMs } from "../../../client/metrics/asked-time.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { useAskedTime } from "../../../client/metrics/use-asked-time.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { NextStep } from "../../../client/next-step.tsx";
import { useTRPC } from "../../../client/trpc.tsx";
import { QueryTable } from "../query-table.tsx";
import { formatSeconds } from "./upload-duration.ts";
import { formatUploadPath } from "./upload-path.ts";

const WaterfallPanel = lazyPart(async () => (await import("./waterfall-panel.tsx")).WaterfallPanel);

interface ListedUpload extends UploadTraceRow {
  readonly isShown: boolean;
}

const uploadColumns = (isSeveral: boolean): Column<ListedUpload>[] => [
  numberColumn("total", "Duration", ({ totalSeconds }) => Number((totalSeconds * 1_000).toPrecision(6)), {
    title: "From the first traced step to the answer, ms",
    hideable: false,
    cell: ({ totalSeconds, isShown }) => (
      <span aria-current={isShown || undefined} className="whitespace-nowrap">
        <span aria-hidden="true" className="mr-1 text-accent-ink">
          {isShown ? "▸" : ""}
        </span>
        {formatSeconds(totalSeconds)}
      </span>
    ),
  }),
  { id: "path", header: "Path", value: formatUploadPath },
  { id: "result", header: "Result", hiddenAtFirst: true, value: ({ result }) => result },
  numberColumn("size", "Size", ({ sizeBytes }) => sizeBytes, {
    title: "Size, bytes",
    cell: ({ sizeBytes }) => <span className="whitespace-nowrap">{formatBytes(sizeBytes)}</span>,
  }),
  timeColumn("began", "Start", ({ startedAt }) => startedAt, {}, { filterable: false }),
  { id: "bucket", header: "Bucket", value: ({ bucket }) => bucket },
  { id: "vault", header: "Vault", hiddenAtFirst: !isSeveral, value: ({ vault }) => vault },
  { id: "node", header: "Node", hiddenAtFirst: true, value: ({ nodeName }) => nodeName },
  { id: "upload", header: "Upload", hiddenAtFirst: true, value: ({ uploadId }) => uploadId },
];

const pathOptions = [
  { value: "all", label: "Both paths" },
  { value: "stash", label: "By stash" },
  { value: "direct", label: "Direct" },
] as const;
const resultOptions = [
  { value: "all", label: "Every result" },
  { value: "stored", label: "Stored" },
  { value: "failed", label: "Not stored" },
] as const;

const filterParsers = {
  path: parseAsStringLiteral(metricLabelValues.path),
  result: parseAsStringLiteral(["stored", "failed"] as const),
};
const useUploadFilter = () => useQueryStates(filterParsers, { history: "replace" });

const defaultSort = { id: "total", direction: "desc" } as const;
const none: UploadTraceRow[] = [];

/** The slowest sampled uploads of the page's time range, and one of them as a waterfall. */
export function Uploads() {
  const trpc = useTRPC();
  const { range, moveOn } = useAskedTime();
  const [{ path, result }] = useUploadFilter();
  const [chosen, setChosen] = useQueryState("upload", parseAsString.withOptions({ history: "push" }));
  const { asked: vaults, isSeveral } = useScope();
  const table = useMemo(() => ({ columns: uploadColumns(isSeveral), defaultSort }), [isSeveral]);
  const list = useQuery(
    trpc.trace.list.queryOptions(
      { ...range, vaults, ...(path === null ? {} : { path }), ...(result === null ? {} : { result }) },
      { placeholderData: keepPreviousData },
    ),
  );
  moveOn(latestAnswerMs([list]));
  const { traces = none, totalCount = 0, newestAt = null } = list.data ?? {};
  const shownId = chosen ?? traces[0]?.uploadId ?? null;
  const rows = useMemo(
    () => traces.map((trace): ListedUpload => ({ ...trace, isShown: trace.uploadId === shownId })),
    [traces, shownId],
  );
  return (
    <Section
      title="Where does an upload spend its time?"
      description="Uploads that the coordinator traced: one in a hundred, the first of each bucket, those slower than the p99 of their kind, and the slowest of each hour."
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,8fr)_minmax(0,10fr)]">
        <div className="flex min-w-0 flex-col gap-2">
          <QueryTable
            label="Slowest uploads"
            table={table}
            rows={rows}
            rowKey={({ uploadId, startedAt }) => `${uploadId} ${startedAt.getTime()}`}
            onRowClick={({ uploadId }) => void setChosen(uploadId)}
            query={list}
            what="The uploads"
            empty={<NoUploads newestAt={newestAt} isFiltered={path !== null || result !== null} />}
            toolbar={<UploadFilters />}
            pageSize={15}
            exportName="slowest-uploads"
            skeletonRowCount={12}
          />
          {totalCount > traces.length && (
            <p className="text-sm text-faint">
              The slowest {formatCount(traces.length)} of {formatCount(totalCount)} sampled uploads.
            </p>
          )}
        </div>
        {shownId !== null && <WaterfallPanel uploadId={shownId} fallback={<Skeleton height={480} />} />}
      </div>
    </Section>
  );
}

function UploadFilters() {
  const [{ path, result }, setFilter] = useUploadFilter();
  return (
    <>
      <span className="w-32 max-md:w-full">
        <Select
          aria-label="Path"
          className="h-8! md:text-base!"
          options={pathOptions}
          value={path ?? "all"}
          onValueChange={(value) => void setFilter({ path: value === "all" ? null : value })}
        />
      </span>
      <span className="w-32 max-md:w-full">
        <Select
          aria-label="Result"
          className="h-8! md:text-base!"
          options={resultOptions}
          value={result ?? "all"}
          onValueChange={(value) => void setFilter({ result: value === "all" ? null : value })}
        />
      </span>
    </>
  );
}

function NoUploads({ newestAt, isFiltered }: { newestAt: Date | null; isFiltered: boolean }) {
  const { setExpressions } = usePageTime();
  if (isFiltered) {
    return (
      <EmptyState icon={<Route />} title="No matching uploads">
        Choose both paths and every result, or a longer time range.
      </EmptyState>
    );
  }
  if (newestAt === null) {
    return (
      <NextStep
        icon={<Route />}
        title="No sampled uploads yet"
        step={{ label: "Nodes and coordinators", href: "/vaults" }}
      >
        The first upload to a bucket is always sampled. Put an object into the vault with any S3 client; its
        waterfall appears here a few seconds later.
      </NextStep>
    );
  }
  return (
    <NextStep
      icon={<Route />}
      title="No sampled uploads in this time range"
      step={{ label: "Show the last two days", onTake: () => setExpressions({ from: "now-2d", to: "now" }) }}
    >
      The newest is from <Time value={newestAt} />; choose a longer range. Traces are kept for two days.
    </NextStep>
  );
}
