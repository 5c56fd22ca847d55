"use client";
import { type AlertSilenceRow, formatMatchers } from "@stashlight/contracts/alert";
import { lazyPart } from "@stashlight/ui";
import { textColumn, timeColumn } from "@stashlight/ui/columns";
import { Time } from "@stashlight/ui/data";
import { Skeleton } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import type { Column } from "@stashlight/ui/table-state";
import { useToast } from "@stashlight/ui/toast";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { describeError } from "../../../client/errors.ts";
import { renderDialog } from "../../../client/render-dialog.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useDialog } from "../../../client/use-dialog.ts";
import { QueryTable } from "../query-table.tsx";

const MaintenanceDialog = lazyPart(async () => (await import("./maintenance-dialog.tsx")).MaintenanceDialog);

const formatPlace = ({ labels }: AlertSilenceRow) => formatMatchers(labels) || "every group";

const formatKind = ({ isMaintenance, isWeekly }: AlertSilenceRow) =>
  `${isMaintenance ? "maintenance" : "silence"}${isWeekly ? ", every week" : ""}`;

const columns: Column<AlertSilenceRow>[] = [
  textColumn("rule", "Rule", (silence) => silence.ruleName ?? "every rule", {
    hideable: false,
  }),
  { id: "where", header: "Labels", value: formatPlace },
  { id: "reason", header: "Reason", value: (silence) => silence.reason },
  { id: "by", header: "Created by", value: (silence) => silence.createdBy },
  { id: "kind", header: "Kind", value: formatKind },
  textColumn("starts", "Starts", (silence) => silence.startsAt, {
    cell: (silence) => (silence.isActive ? "active" : <Time value={silence.startsAt} />),
  }),
  timeColumn("ends", "Ends", (silence) => silence.endsAt),
];

const tableOptions = { columns, prefix: "silences-" };

interface SilencesProps {
  silences: UseQueryResult<AlertSilenceRow[], unknown>;
  rules: readonly { readonly id: string; readonly name: string }[];
  /** True if the reader may plan maintenance and end silences. */
  mayPlan: boolean;
}

/** Hidden from readers who may not plan maintenance, unless a silence exists. */
export function Silences({ silences, rules, mayPlan }: SilencesProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const planning = useDialog<"new">();
  const end = useMutation(trpc.alert.endSilence.mutationOptions());
  if (silences.isPending) return <Skeleton height={0} />;
  if (silences.data?.length === 0 && !mayPlan) return null;
  const endIt = ({ id }: AlertSilenceRow) =>
    end.mutate(
      { silenceId: id },
      {
        onSuccess: () => void queryClient.invalidateQueries(trpc.alert.pathFilter()),
        onError: (error) =>
          toast({ title: "The silence was not ended", description: describeError(error), status: "bad" }),
      },
    );
  return (
    <Section
      title="Silences and maintenance"
      description="Channels are not notified of matching alerts until the silence or the maintenance window ends."
      actions={
        mayPlan && (
          <Button size="sm" icon={<CalendarClock />} onClick={() => planning.show("new")}>
            Plan maintenance
          </Button>
        )
      }
    >
      {silences.data?.length !== 0 && (
        <QueryTable
          label="Silences"
          rows={silences.data ?? []}
          rowKey={(silence) => silence.id}
          table={tableOptions}
          query={silences}
          what="The silences"
          empty={null}
          rowActions={(silence) =>
            mayPlan && (
              <Button
                variant="quiet"
                size="sm"
                aria-label={`End the ${silence.isMaintenance ? "maintenance" : "silence"} of ${silence.ruleName ?? "every rule"}`}
                onClick={() => endIt(silence)}
              >
                End
              </Button>
            )
          }
          filterBox={false}
        />
      )}

      {renderDialog(planning, (_, shown) => (
        <MaintenanceDialog rules={rules} {...shown} />
      ))}
    </Section>
  );
}
