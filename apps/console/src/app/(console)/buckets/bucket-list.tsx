"use client";
import type { BucketSummary } from "@stashlight/contracts/bucket";
import { Time } from "@stashlight/ui/data";
import { StatusDot } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { Database, RotateCw } from "lucide-react";
import { useMemo } from "react";
import { NextStep } from "../../../client/next-step.tsx";
import { useTableState } from "../../../client/url-state.ts";
import { bucketHref } from "./bucket-href.ts";
import { useBuckets } from "./bucket-questions.ts";
import {
  describeBytes,
  describeCount,
  describeEncryption,
  describeTags,
  unreadableWord,
} from "./describe-bucket.ts";
import { QuestionError } from "./question-error.tsx";

const NAME_LENGTH_MAX = 63;
/** Not sortable, because the coordinator returns buckets in name order only. */
const unsorted = { sortable: false } as const;

const columns: Column<BucketSummary>[] = [
  {
    id: "name",
    header: "Bucket",
    hideable: false,
    ...unsorted,
    value: ({ name }) => name,
    cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
  },
  {
    id: "objects",
    header: "Objects",
    numeric: true,
    ...unsorted,
    value: ({ objects }) => objects?.count,
    cell: ({ objects }) => describeCount(objects),
  },
  {
    id: "size",
    header: "Size",
    title: "Size, bytes",
    numeric: true,
    ...unsorted,
    value: ({ objects }) => objects?.bytes,
    cell: ({ objects }) => describeBytes(objects) ?? "–",
  },
  {
    id: "rules",
    header: "Lifecycle rules",
    numeric: true,
    ...unsorted,
    value: ({ lifecycleRuleCount }) => lifecycleRuleCount ?? unreadableWord,
    cell: ({ lifecycleRuleCount }) => lifecycleRuleCount ?? <Unreadable />,
  },
  {
    id: "encryption",
    header: "Encryption",
    ...unsorted,
    value: ({ encryption }) => describeEncryption(encryption),
  },
  {
    id: "tags",
    header: "Tags",
    ...unsorted,
    value: ({ tags, tagCount }) => {
      if (tagCount === null) return unreadableWord;
      return tagCount === 0 ? null : describeTags(tags, tagCount);
    },
  },
  { id: "owner", header: "Owner", ...unsorted, value: ({ owner }) => owner },
  {
    id: "created",
    header: "Created",
    ...unsorted,
    value: ({ createdMs }) => new Date(createdMs),
    cell: ({ createdMs }) => <Time value={createdMs} />,
  },
];
const tableOptions = { columns, defaultSort: null } as const;

/** Lists a vault's buckets by name. The filter is a prefix, because coordinators look buckets up by prefix. */
export function BucketList({ vault }: { readonly vault: string }) {
  const [state, setState] = useTableState(tableOptions);
  const prefix = state.filter.slice(0, NAME_LENGTH_MAX);
  const { data, dataUpdatedAt, error, isPending, isFetching, isFetchingNextPage, hasNextPage, ...list } =
    useBuckets(vault, prefix);
  const rows = useMemo(() => data?.pages.flatMap(({ buckets }) => buckets) ?? [], [data]);
  const hasFailed = data === undefined && error !== null;
  const retry = () => void list.refetch();
  return (
    <DataTable
      label={`Buckets of ${vault}`}
      columns={columns}
      rows={rows}
      rowKey={({ name }) => name}
      rowHref={({ name }) => bucketHref(vault, name)}
      state={state}
      onStateChange={setState}
      manual
      status={isPending ? "loading" : hasFailed ? "error" : "ready"}
      error={<QuestionError what="The buckets" error={error} onRetry={retry} />}
      empty={<NoBuckets vault={vault} prefix={prefix} />}
      loadMore={{
        hasMore: hasNextPage,
        isLoading: isFetchingNextPage,
        onLoadMore: () => void list.fetchNextPage(),
      }}
      toolbar={
        <>
          <Button size="sm" icon={<RotateCw />} pending={isFetching && !isFetchingNextPage} onClick={retry}>
            Ask again
          </Button>
          {data !== undefined && (
            <span className="text-sm text-faint">
              Answered <Time value={dataUpdatedAt} show="age" />
            </span>
          )}
        </>
      }
      exportName={`buckets-${vault}`}
    />
  );
}

/** Marks rules that the coordinator cannot read; the bucket's page explains the consequences. */
function Unreadable() {
  return <StatusDot status="warning" label={unreadableWord} />;
}

function NoBuckets({ vault, prefix }: { vault: string; prefix: string }) {
  if (prefix !== "")
    return (
      <>
        No bucket of {vault} begins with “{prefix}”.
      </>
    );
  return (
    <NextStep
      icon={<Database />}
      title={`${vault} has no buckets`}
      step={{ label: "S3 address of the vault", href: `/vaults?vault=${encodeURIComponent(vault)}` }}
    >
      Create one with any S3 client: aws s3 mb s3://NAME. The vault's page has its S3 address.
    </NextStep>
  );
}
