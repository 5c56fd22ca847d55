"use client";
import { type NodeRole, nodeRoleDescriptions } from "@stashlight/contracts/node";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { choice, fieldTable, flag, number, text } from "@stashlight/ui/fields";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { EnrolmentProgress } from "./enrolment-progress.tsx";

interface EnrolDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Best guess for the vault's name. */
  vault: string;
}

/** Roles that have an agent. */
const roles = ["pod", "stash", "coordinator"] as const satisfies NodeRole[];
const roleOptions = roles.map((value) => ({ value, label: value, hint: nodeRoleDescriptions[value] }));

const tokenFields = fieldTable({
  vault: text("Vault"),
  role: choice("Role", roleOptions, { initial: "pod" }),
  useCountMax: number("Number of nodes", {
    initial: "1",
    inputMode: "numeric",
    problem: "Enter a whole number of nodes.",
  }),
  lifetimeHours: number("Valid for", {
    unit: "hours",
    initial: "24",
    inputMode: "numeric",
    problem: "Enter a whole number of hours.",
  }),
  isAutoApproved: flag("Approve at once", {
    help: "Data from these nodes is accepted without an admin's approval. Keep such a token secret.",
  }),
  mayReplace: flag("Allow replacing nodes", {
    help: "For machines that lost their key: a node of the same name gets a new key, and its old keys are revoked.",
  }),
});

export function EnrolDialog({ open, onOpenChange, vault }: EnrolDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(trpc.node.createToken.mutationOptions());
  const form = useForm({
    table: tokenFields,
    initial: { ...tokenFields.initial, vault },
    send: async (typed) => {
      await create.mutateAsync(tokenFields.read(typed).values);
      void queryClient.invalidateQueries(trpc.node.pathFilter());
    },
  });
  const { role } = form.typed;
  if (create.data !== undefined) {
    return (
      <EnrolmentProgress
        open={open}
        onOpenChange={onOpenChange}
        issued={create.data}
        role={role}
        useCountMax={create.variables.useCountMax ?? 1}
      />
    );
  }
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title="Enrol nodes"
      description="Creates a token. A machine presents it once and receives its own key."
      action="Create token"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField form={form} name="vault" />
        <FormField form={form} name="role" help={nodeRoleDescriptions[role]} />
        <FormField form={form} name="useCountMax" />
        <FormField form={form} name="lifetimeHours" />
      </div>
      <FormField form={form} name="isAutoApproved" />
      <FormField form={form} name="mayReplace" />
    </FormDialog>
  );
}
