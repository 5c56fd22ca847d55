"use client";
import type { EnrolmentTokenRow } from "@stashlight/contracts/node";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import { useToast } from "@stashlight/ui/toast";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { Ticket } from "lucide-react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useTableState } from "../../../../client/url-state.ts";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { tokenColumns } from "./columns.tsx";

const tableOptions = { columns: tokenColumns, prefix: "tokens-" };

/** Tokens with which machines can still enrol, and the way to take one back. */
export function Tokens({ tokens }: { tokens: UseQueryResult<EnrolmentTokenRow[], unknown> }) {
  const [state, setState] = useTableState(tableOptions);
  const dialog = useDialog<EnrolmentTokenRow>();
  const hasFailed = tokens.isError && tokens.data === undefined;
  return (
    <Section
      title="Open enrolment tokens"
      description="Tokens that machines can still enrol with. A revoked token stops working at once; nodes that enrolled with it stay."
    >
      <DataTable
        label="Enrolment tokens"
        columns={tokenColumns}
        rows={tokens.data ?? []}
        rowKey={(token) => token.id}
        state={state}
        onStateChange={setState}
        status={tokens.isPending ? "loading" : hasFailed ? "error" : "ready"}
        error={<QueryError what="The tokens" error={tokens.error} onRetry={() => void tokens.refetch()} />}
        empty={
          <EmptyState icon={<Ticket />} title="No open tokens">
            Select “Enrol nodes” to create a token. It is listed here until it is used up or expires.
          </EmptyState>
        }
        rowActions={(token) => (
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Revoke the token …${token.lastCharacters}`}
            onClick={() => dialog.show(token)}
          >
            Revoke
          </Button>
        )}
        filterBox={false}
        skeletonRowCount={2}
      />
      {dialog.subject !== null && (
        <RevokeDialog
          key={dialog.key}
          token={dialog.subject}
          open={dialog.open}
          onOpenChange={dialog.setOpen}
        />
      )}
    </Section>
  );
}

interface RevokeDialogProps {
  token: EnrolmentTokenRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function RevokeDialog({ token, open, onOpenChange }: RevokeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const revoke = useMutation(trpc.node.revokeToken.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke the token …${token.lastCharacters}?`}
      consequence={`No more machines can enrol with it. Nodes that enrolled with it stay (${token.useCount}).`}
      confirmLabel="Revoke token"
      describeError={describeError}
      onConfirm={async () => {
        await revoke.mutateAsync({ tokenId: token.id });
        await queryClient.invalidateQueries(trpc.node.pathFilter());
        toast({ title: "Token revoked", description: `…${token.lastCharacters}`, status: "good" });
      }}
    />
  );
}
