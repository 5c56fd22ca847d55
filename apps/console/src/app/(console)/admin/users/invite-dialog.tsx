"use client";
import type { IssuedLink, Role } from "@stashlight/contracts";
import { Secret, Time } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function InviteDialog({ open, onOpenChange }: InviteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const invite = useMutation(trpc.user.invite.mutationOptions());
  const problem = invite.isError ? toProblem(invite.error) : null;
  const { errorOf, formError } = placeProblem(problem, ["email"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (invite.isPending) return;
    invite.mutate(
      { email: email.trim(), role },
      { onSuccess: () => void queryClient.invalidateQueries(trpc.user.pathFilter()) },
    );
  };
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
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Invite user"
      description="Makes a link for one person. Stashlight sends no mail: you hand it over yourself."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={invite.isPending}>
            Make invitation link
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="E-mail" error={errorOf("email")}>
          <TextInput
            type="email"
            name="email"
            autoComplete="off"
            placeholder="ada@example.org"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <RoleChoice value={role} onChange={setRole} />
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}

type InvitedDialogProps = InviteDialogProps & {
  link: IssuedLink;
  email: string;
  role: Role;
};

function InvitedDialog({ open, onOpenChange, link, email, role }: InvitedDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Invitation for ${email}`}
      description={`They choose a name and a password with it, and join as ${role}.`}
      footer={
        <Button variant="primary" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      <Secret label="Invitation link" value={link.url}>
        Shown once. Whoever has this link can join as {role}: give it to {email} only. It works once, until{" "}
        <Time value={link.expiresAt} />.
      </Secret>
    </Dialog>
  );
}
