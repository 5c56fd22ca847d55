"use client";
import type { AnnotationRow } from "@stashlight/contracts/annotation";
import type { TimeRangeExpressions } from "@stashlight/contracts/time";
import { lazyPart } from "@stashlight/ui";
import { textColumn, timeColumn } from "@stashlight/ui/columns";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useToast } from "@stashlight/ui/toast";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { describeError } from "../../../client/errors.ts";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useDialog } from "../../../client/use-dialog.ts";
import { useInstants } from "../../../client/use-instants.ts";
import { QueryTable } from "../query-table.tsx";

const AnnotationDialog = lazyPart(async () => (await import("./annotation-dialog.tsx")).AnnotationDialog);

const pageSize = 500;

const columns: Column<AnnotationRow>[] = [
  timeColumn("at", "Time", ({ startsAt }) => startsAt, {}, { hideable: false, filterable: false }),
  timeColumn("until", "Until", ({ endsAt }) => endsAt, { missing: "–" }, { filterable: false }),
  textColumn("text", "Annotation", ({ text }) => text, {
    cell: ({ text }) => <span className="block min-w-40 whitespace-normal">{text}</span>,
  }),
  { id: "vault", header: "Vault", value: ({ vault }) => vault ?? "every vault" },
  { id: "by", header: "Created by", value: ({ createdBy }) => createdBy },
];

const tableOptions = {
  columns,
  prefix: "annotations-",
  defaultSort: { id: "at", direction: "desc" },
} as const;

interface AnnotationsProps {
  range: TimeRangeExpressions;
  /** True if the reader may add and delete annotations. */
  mayAdd: boolean;
}

function useDeleteAnnotation() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation(trpc.annotation.delete.mutationOptions());
  return ({ id }: AnnotationRow) =>
    mutate(
      { annotationId: id },
      {
        onSuccess: () => void queryClient.invalidateQueries(trpc.annotation.pathFilter()),
        onError: (error) =>
          toast({
            title: "The annotation was not deleted",
            description: describeError(error),
            status: "bad",
          }),
      },
    );
}

/** Lists annotations from people and scripts in the page's time range. */
export function Annotations({ range, mayAdd }: AnnotationsProps) {
  const trpc = useTRPC();
  const annotations = useQuery(
    trpc.annotation.list.queryOptions(
      { ...useInstants(range), pageSize },
      { placeholderData: keepPreviousData },
    ),
  );
  const adding = useDialog<"new">();
  const deleteAnnotation = useDeleteAnnotation();
  return (
    <Section
      title="Annotations"
      description="Deploys, swapped drives and tests, drawn on charts that cover their time."
      actions={
        mayAdd && (
          <Button size="sm" icon={<MessageSquarePlus />} onClick={() => adding.show("new")}>
            Add annotation
          </Button>
        )
      }
    >
      {annotations.data?.length === 0 ? (
        <p className="text-muted">
          None in this time range. Add one here, or let a deploy script call <code>annotation.create</code>.
        </p>
      ) : (
        <QueryTable
          label="Annotations"
          rows={annotations.data ?? []}
          rowKey={({ id }) => id}
          table={tableOptions}
          query={annotations}
          what="The annotations"
          empty={null}
          rowActions={(annotation) =>
            mayAdd && (
              <Button
                variant="quiet"
                size="sm"
                aria-label={`Delete ${annotation.text}`}
                onClick={() => deleteAnnotation(annotation)}
              >
                Delete
              </Button>
            )
          }
          filterBox={false}
          skeletonRowCount={2}
        />
      )}

      {renderDialog(adding, (_, shown) => (
        <AnnotationDialog {...shown} />
      ))}
    </Section>
  );
}
