"use client";
import type { InvitationRow } from "@stashlight/contracts/user";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { EmptyState } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { DataTable } from "@stashlight/ui/table";
import { useToast } from "@stashlight/ui/toast";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { MailOpen } from "lucide-react";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useTableState } from "../../../../client/url-state.ts";
import { useDialog } from "../../../../client/use-dialog.ts";
import { QueryError } from "../../query-state.tsx";
import { invitationColumns } from "./columns.tsx";

const tableOptions = { columns: invitationColumns, prefix: "invitations-" };

/** Invitations that can still be accepted, and the way to take one back. */
export function Invitations({ invitations }: { invitations: UseQueryResult<InvitationRow[], unknown> }) {
  const [state, setState] = useTableState(tableOptions);
  const dialog = useDialog<InvitationRow>();
  const hasFailed = invitations.isError && invitations.data === undefined;
  return (
    <Section
      title="Open invitations"
      description="Links that have not been used yet. A revoked link stops working at once."
    >
      <DataTable
        label="Invitations"
        columns={invitationColumns}
        rows={invitations.data ?? []}
        rowKey={(invitation) => invitation.id}
        state={state}
        onStateChange={setState}
        status={invitations.isPending ? "loading" : hasFailed ? "error" : "ready"}
        error={
          <QueryError
            what="The invitations"
            error={invitations.error}
            onRetry={() => void invitations.refetch()}
          />
        }
        empty={
          <EmptyState icon={<MailOpen />} title="No open invitations">
            Select “Invite user” to create a link for one person. It is listed here until it is used or
            expires.
          </EmptyState>
        }
        rowActions={(invitation) => (
          <Button
            variant="quiet"
            size="sm"
            aria-label={`Revoke the invitation of ${invitation.email}`}
            onClick={() => dialog.show(invitation)}
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
          invitation={dialog.subject}
          open={dialog.open}
          onOpenChange={dialog.setOpen}
        />
      )}
    </Section>
  );
}

interface RevokeDialogProps {
  invitation: InvitationRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function RevokeDialog({ invitation, open, onOpenChange }: RevokeDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const revoke = useMutation(trpc.user.revokeInvitation.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Revoke the invitation of ${invitation.email}?`}
      consequence="The link stops working at once. You can invite the same address again."
      confirmLabel="Revoke invitation"
      describeError={describeError}
      onConfirm={async () => {
        await revoke.mutateAsync({ invitationId: invitation.id });
        await queryClient.invalidateQueries(trpc.user.pathFilter());
        toast({ title: "Invitation revoked", description: invitation.email, status: "good" });
      }}
    />
  );
}
