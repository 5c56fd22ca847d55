"use client";
import { type NodeRole, nodeRoleDescriptions } from "@stashlight/contracts/node-roles";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Checkbox, Field, FormError, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { EnrolmentProgress } from "./enrolment-progress.tsx";

interface EnrolDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What the vault is most likely called. */
  vault: string;
}

/** Roles whose agents there are. */
const roles = ["pod", "stash", "coordinator"] as const satisfies NodeRole[];
const roleOptions = roles.map((value) => ({ value, label: value, hint: nodeRoleDescriptions[value] }));
const fields = ["vault", "role", "useCountMax", "lifetimeHours"] as const;

export function EnrolDialog({ open, onOpenChange, vault: suggestedVault }: EnrolDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const formId = useId();
  const [vault, setVault] = useState(suggestedVault);
  const [role, setRole] = useState<(typeof roles)[number]>("pod");
  const [useCount, setUseCount] = useState("1");
  const [hours, setHours] = useState("24");
  const [isAutoApproved, setAutoApproved] = useState(false);
  const [mayReplace, setMayReplace] = useState(false);
  const create = useMutation(trpc.node.createToken.mutationOptions());
  const problem = create.isError ? toProblem(create.error) : null;
  const { errorOf, formError } = placeProblem(problem, fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    create.mutate(
      {
        vault: vault.trim(),
        role,
        useCountMax: Number(useCount),
        lifetimeHours: Number(hours),
        isAutoApproved,
        mayReplace,
      },
      { onSuccess: () => void queryClient.invalidateQueries(trpc.node.pathFilter()) },
    );
  };
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
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Enrol nodes"
      description="Makes a token. A machine shows it once, and gets a key of its own."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={create.isPending}>
            Make token
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Vault" error={errorOf("vault")}>
            <TextInput
              name="vault"
              autoComplete="off"
              value={vault}
              onChange={(event) => setVault(event.target.value)}
            />
          </Field>
          <Field label="Role" hint={nodeRoleDescriptions[role]} error={errorOf("role")}>
            <Select options={roleOptions} value={role} onValueChange={setRole} />
          </Field>
          <Field label="Number of nodes" error={errorOf("useCountMax")}>
            <TextInput
              name="useCountMax"
              inputMode="numeric"
              value={useCount}
              onChange={(event) => setUseCount(event.target.value)}
            />
          </Field>
          <Field label="Works for, hours" error={errorOf("lifetimeHours")}>
            <TextInput
              name="lifetimeHours"
              inputMode="numeric"
              value={hours}
              onChange={(event) => setHours(event.target.value)}
            />
          </Field>
        </div>
        <Checkbox
          label="Approve at once"
          hint="What the nodes send is kept without a further look by an admin. Keep such a token to yourself."
          checked={isAutoApproved}
          onCheckedChange={setAutoApproved}
        />
        <Checkbox
          label="May replace nodes"
          hint="For machines that lost their key: a node of the same name gets another, and its old ones end."
          checked={mayReplace}
          onCheckedChange={setMayReplace}
        />
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}
