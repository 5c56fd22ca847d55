"use client";
import { Secret, Time } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useMutation } from "@tanstack/react-query";
import { describeError } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import type { UserDialogProps } from "./user-dialog-props.ts";

export function PasswordLinkDialog({ user, open, onOpenChange }: UserDialogProps) {
  const trpc = useTRPC();
  const issue = useMutation(trpc.user.issuePasswordLink.mutationOptions());
  const link = issue.data;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Password link for ${user.name}`}
      description="For a user who lost their password. The link lets them set a new one without the old one."
      footer={
        link === undefined ? (
          <>
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button
              variant="primary"
              pending={issue.isPending}
              onClick={() => issue.mutate({ userId: user.id })}
            >
              Issue link
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            Done
          </Button>
        )
      }
    >
      {link === undefined ? (
        <div className="flex flex-col gap-4 text-muted">
          <p>The link works once, for 24 hours. An earlier one that was not used stops working.</p>
          <FormError>{issue.isError ? describeError(issue.error) : undefined}</FormError>
        </div>
      ) : (
        <Secret label="Password link" value={link.url}>
          Shown once. Anyone who has it can set the password of {user.email}, so give it to nobody else. It
          works once, until <Time value={link.expiresAt} />.
        </Secret>
      )}
    </Dialog>
  );
}
