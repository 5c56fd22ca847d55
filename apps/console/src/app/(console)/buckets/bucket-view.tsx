"use client";
import type { BucketTag, DailyDeletions } from "@stashlight/contracts/bucket";
import type { S3Address } from "@stashlight/contracts/node";
import { textColumn, timeColumn } from "@stashlight/ui/columns";
import { Bytes, CodeBlock, Tile, TileGrid, Time } from "@stashlight/ui/data";
import { EmptyState, Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useTRPC } from "../../../client/trpc.tsx";
import { UrlTable } from "../../../client/url-table.tsx";
import { QueryError } from "../query-state.tsx";
import { useBucketView } from "./bucket-questions.ts";
import { tagsCommand } from "./client-commands.ts";
import { describeBytes, describeCount, describeTags } from "./describe-bucket.ts";
import { EncryptionSection } from "./encryption-section.tsx";
import { QuestionError } from "./question-error.tsx";
import { RulesSection } from "./rules-section.tsx";

const FRAME_PX = 420;

interface BucketViewProps {
  readonly vault: string;
  readonly bucket: string;
  readonly address: S3Address | null;
  readonly mayChange: boolean;
}

export function BucketView({ vault, bucket, address, mayChange }: BucketViewProps) {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useBucketView(vault, bucket);
  if (data === undefined) {
    if (error === null || isFetching) return <Skeleton height={FRAME_PX} />;
    return <QuestionError what="The bucket" error={error} onRetry={() => void refetch()} />;
  }
  const { objects, owner, createdMs, encryption, tags, tagCount } = data.bucket;
  const age = <Time value={dataUpdatedAt} show="age" />;
  return (
    <>
      <TileGrid>
        <Tile title="Objects" value={describeCount(objects)} age={age} />
        <Tile title="Size" value={describeBytes(objects)} missing="not counted" age={age} />
        <Tile title="Owner" value={owner} />
        <Tile title="Created" value={<Time value={createdMs} show="age" />} />
      </TileGrid>
      <div>
        <Button size="sm" icon={<RotateCw />} pending={isFetching} onClick={() => void refetch()}>
          Ask again
        </Button>
      </div>
      <RulesSection vault={vault} bucket={bucket} answer={data} mayChange={mayChange} />
      <DeletionsSection vault={vault} bucket={bucket} />
      <Section title="Tags">
        <p>{tagSentence(tags, tagCount)}</p>
        <CodeBlock label="Replace all tags" code={tagsCommand(bucket, tags, address)} />
      </Section>
      <EncryptionSection bucket={bucket} encryption={encryption} address={address} />
    </>
  );
}

function tagSentence(tags: readonly BucketTag[], tagCount: number | null): string {
  if (tagCount === null) return "This version of the coordinator cannot read the tags.";
  return tagCount === 0 ? "The bucket has no tags." : describeTags(tags, tagCount);
}

const deletionColumns: Column<DailyDeletions>[] = [
  { id: "day", header: "Day (UTC)", hideable: false, value: ({ day }) => day },
  { id: "rule", header: "Rule", value: ({ ruleId }) => ruleId },
  textColumn("deleted", "Deleted", ({ action }) => (action === "expire" ? "objects" : "uploads")),
  { id: "count", header: "Count", numeric: true, value: ({ count }) => count },
  {
    id: "bytes",
    header: "Size",
    title: "Size, bytes",
    numeric: true,
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => <Bytes value={bytes} />,
  },
  timeColumn("last", "Last", ({ lastAt }) => lastAt),
];
const deletionOptions = {
  columns: deletionColumns,
  defaultSort: { id: "last", direction: "desc" },
  prefix: "deleted-",
} as const;

function DeletionsSection({ vault, bucket }: { readonly vault: string; readonly bucket: string }) {
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(
    trpc.bucket.listDeletions.queryOptions({ vault, bucket }),
  );
  return (
    <Section
      title="Deleted by rules"
      description="By day and rule, as the coordinators report; kept for 90 days. Each coordinator also writes them to audit.log in its state folder."
    >
      <UrlTable
        label="Deleted by rules"
        rows={data ?? []}
        rowKey={({ day, ruleId, action }) => `${day} ${action} ${ruleId}`}
        table={deletionOptions}
        status={isPending ? "loading" : data === undefined ? "error" : "ready"}
        error={<QueryError what="The deletions" error={error} onRetry={() => void refetch()} />}
        empty={
          <EmptyState title="Nothing deleted yet">
            Rules are carried out once an hour, and what they delete is listed here.
          </EmptyState>
        }
        filterBox={false}
        skeletonRowCount={1}
        exportName={`deleted-${bucket}`}
      />
    </Section>
  );
}
