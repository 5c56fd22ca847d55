"use client";
import type { IssuedApiToken } from "@stashlight/contracts/api-token";
import type { Role } from "@stashlight/contracts/user";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { Checklist } from "@stashlight/ui/fields";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { scopeOptions, tokenFields } from "./token-form.ts";

interface TokenDialogProps {
  role: Role;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onIssued: (issued: IssuedApiToken) => void;
}

export function TokenDialog({ role, open, onOpenChange, onIssued }: TokenDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(trpc.apiToken.create.mutationOptions());
  const form = useForm({
    table: tokenFields,
    initial: tokenFields.initial,
    send: async (typed) => {
      onIssued(await create.mutateAsync(tokenFields.read(typed).values));
      void queryClient.invalidateQueries(trpc.apiToken.pathFilter());
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title="New API token"
      description="It acts in your name, and never does more than your role allows at that moment."
      action="Create token"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="name" />
        <FormField form={form} name="lifetimeDays" />
      </div>
      <Checklist
        legend="Rights"
        options={scopeOptions(role)}
        chosen={form.typed.scopes}
        onChange={(scopes) => form.change({ scopes })}
        error={form.errorOf("scopes")}
        layout="column"
      />
    </FormDialog>
  );
}
