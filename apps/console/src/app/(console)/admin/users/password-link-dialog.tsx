"use client";
import { Secret, Time } from "@stashlight/ui/data";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { IssueDialog } from "../../secret-dialog.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

export function PasswordLinkDialog({ user, ...dialog }: UserDialogProps) {
  const trpc = useTRPC();
  const issue = useMutation(trpc.user.issuePasswordLink.mutationOptions());
  return (
    <IssueDialog
      {...dialog}
      title={`Password link for ${user.name}`}
      description="For a user who lost their password. The link lets them set a new one without the old one."
      consequence="The link works once, for 24 hours. An earlier unused link stops working."
      action="Issue link"
      issue={() => issue.mutateAsync({ userId: user.id })}
    >
      {(link) => (
        <Secret label="Password link" value={link.url}>
          Shown once. Anyone who has it can set the password of {user.email}, so send it only to them. It
          works once, until <Time value={link.expiresAt} />.
        </Secret>
      )}
    </IssueDialog>
  );
}
