"use client";
import type { InvitationRow } from "@stashlight/contracts/user";
import { EmptyState } from "@stashlight/ui/feedback";
import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { MailOpen } from "lucide-react";
import { useTRPC } from "../../../../client/trpc.tsx";
import { RevocableTable } from "../revocable-table.tsx";
import { invitationColumns } from "./columns.tsx";

/** Invitations that can still be accepted. */
export function Invitations({ invitations }: { invitations: UseQueryResult<InvitationRow[], unknown> }) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.user.revokeInvitation.mutationOptions());
  return (
    <RevocableTable
      title="Open invitations"
      description="Links that have not been used yet. A revoked link stops working at once."
      label="Invitations"
      columns={invitationColumns}
      prefix="invitations-"
      query={invitations}
      what="The invitations"
      empty={
        <EmptyState icon={<MailOpen />} title="No open invitations">
          Select “Invite user” to create a link for one person. It is listed here until it is used or expires.
        </EmptyState>
      }
      nameOf={({ email }) => `the invitation of ${email}`}
      consequenceOf={() => "The link stops working at once. You can invite the same address again."}
      confirmLabel="Revoke invitation"
      revoke={({ id }) => revoke.mutateAsync({ invitationId: id })}
      shown={trpc.user.pathFilter()}
      doneOf={({ email }) => ({ title: "Invitation revoked", description: email })}
    />
  );
}
