"use client";
import type { AlertSilenceRow } from "@stashlight/contracts/alert";
import { Time } from "@stashlight/ui/data";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import type { Column } from "@stashlight/ui/table-state";
import { useToast } from "@stashlight/ui/toast";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useTableState } from "../../../client/url-state.ts";
import { QueryError } from "../query-state.tsx";

const formatMatcher = ({ labels }: AlertSilenceRow) =>
  Object.entries(labels)
    .map(([label, values]) => `${label} ${values.join(" or ")}`)
    .join(", ") || "every group";

const columns: Column<AlertSilenceRow>[] = [
  {
    id: "rule",
    header: "Rule",
    hideable: false,
    value: (silence) => silence.ruleName ?? "every rule",
  },
  { id: "where", header: "Labels", value: formatMatcher },
  { id: "reason", header: "Reason", value: (silence) => silence.reason },
  { id: "by", header: "Created by", value: (silence) => silence.createdBy },
  {
    id: "ends",
    header: "Ends",
    value: (silence) => silence.endsAt,
    cell: (silence) => <Time value={silence.endsAt} />,
  },
];

const tableOptions = { columns, prefix: "silences-" };

interface SilencesProps {
  silences: UseQueryResult<AlertSilenceRow[], unknown>;
  mayEnd: boolean;
}

/** Shown only while there are some: usually there are none. */
export function Silences({ silences, mayEnd }: SilencesProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [state, setState] = useTableState(tableOptions);
  const end = useMutation(trpc.alert.endSilence.mutationOptions());
  if (silences.data?.length === 0 || silences.isPending) return null;
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
      title="Silences"
      description="Channels are not notified of matching alerts until the silence ends."
    >
      <DataTable
        label="Silences"
        columns={columns}
        rows={silences.data ?? []}
        rowKey={(silence) => silence.id}
        state={state}
        onStateChange={setState}
        status={silences.data === undefined ? "error" : "ready"}
        error={
          <QueryError what="The silences" error={silences.error} onRetry={() => void silences.refetch()} />
        }
        empty={null}
        rowActions={(silence) =>
          mayEnd && (
            <Button
              variant="quiet"
              size="sm"
              aria-label={`End the silence of ${silence.ruleName ?? "every rule"}`}
              onClick={() => endIt(silence)}
            >
              End
            </Button>
          )
        }
        filterBox={false}
      />
    </Section>
  );
}
