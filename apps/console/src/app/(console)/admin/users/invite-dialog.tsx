"use client";
import type { IssuedLink, Role } from "@stashlight/contracts/user";
import { Secret, Time } from "@stashlight/ui/data";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { fieldTable, held, text } from "@stashlight/ui/fields";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { SecretDialog } from "../../secret-dialog.tsx";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const invitationFields = fieldTable({
  email: text("E-mail", { type: "email", placeholder: "ada@example.org" }),
  role: held<Role>("viewer"),
});

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const invite = useMutation(trpc.user.invite.mutationOptions());
  const form = useForm({
    table: invitationFields,
    send: async (typed) => {
      await invite.mutateAsync(invitationFields.read(typed).values);
      void queryClient.invalidateQueries(trpc.user.pathFilter());
    },
  });
  if (invite.data !== undefined) {
    return (
      <InvitedDialog
        open={open}
        onOpenChange={onOpenChange}
        link={invite.data}
        email={invite.variables.email}
        role={invite.variables.role}
      />
    );
  }
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title="Invite user"
      description="Creates a link for one person. Stashlight sends no e-mail, so you deliver the link yourself."
      action="Create invitation link"
    >
      <FormField form={form} name="email" />
      <RoleChoice value={form.typed.role} onChange={(role) => form.change({ role })} />
    </FormDialog>
  );
}

type InvitedDialogProps = InviteDialogProps & {
  link: IssuedLink;
  email: string;
  role: Role;
};

function InvitedDialog({ link, email, role, ...dialog }: InvitedDialogProps) {
  return (
    <SecretDialog
      {...dialog}
      title={`Invitation for ${email}`}
      description={`The link lets them choose a name and a password and join as ${role}.`}
    >
      <Secret label="Invitation link" value={link.url}>
        This link is shown only once. Anyone who has it can join as {role}, so give it to {email} only. It
        works once, until <Time value={link.expiresAt} />.
      </Secret>
    </SecretDialog>
  );
}
