"use client";
import type { AccessKeyRow, IssuedAccessKey } from "@stashlight/contracts/access-key";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { emptyForm, keyFields, toKeyForm, toKeyTerms } from "./key-form.ts";

interface KeyDialogProps {
  /** Null for a new key. */
  accessKey: AccessKeyRow | null;
  vaults: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onIssued: (issued: IssuedAccessKey) => void;
}

export function KeyDialog({ accessKey, vaults, open, onOpenChange, onIssued }: KeyDialogProps) {
  const form = useKeyForm({ accessKey, vaults, onIssued, onDone: () => onOpenChange(false) });
  const isNew = accessKey === null;
  const knownVaults = isNew ? vaults : [accessKey.vault];
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title={isNew ? "New access key" : `Edit ${accessKey.name}`}
      description={
        isNew
          ? "The secret is stored encrypted and shown once."
          : "The secret does not change; “Rotate secret” replaces it."
      }
      action={isNew ? "Create access key" : "Save access key"}
    >
      <FormField form={form} name="name" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField
          form={form}
          name="vault"
          options={knownVaults.map((value) => ({ value, label: value }))}
          help={vaults.length === 0 ? "Enrol a coordinator first. No vault has one." : undefined}
          disabled={!isNew}
        />
        <FormField form={form} name="owner" disabled={!isNew} />
        <FormField form={form} name="permission" />
        <FormField form={form} name="scope" />
      </div>
      <FormField form={form} name="buckets" />
    </FormDialog>
  );
}

type KeyFormOptions = Pick<KeyDialogProps, "accessKey" | "vaults" | "onIssued"> & { onDone: () => void };

function useKeyForm({ accessKey, vaults, onIssued, onDone }: KeyFormOptions) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.accessKey.create.mutationOptions());
  const update = useMutation(trpc.accessKey.update.mutationOptions());
  return useForm({
    table: keyFields,
    initial: accessKey === null ? emptyForm(vaults) : toKeyForm(accessKey),
    send: async (typed) => {
      const terms = toKeyTerms(typed);
      if (accessKey === null) {
        const { vault, owner } = keyFields.read(typed).values;
        onIssued(await create.mutateAsync({ vault, owner, ...terms }));
      } else {
        await update.mutateAsync({ keyId: accessKey.id, ...terms });
        toast({ title: "Access key changed", description: terms.name, status: "good" });
      }
      void queryClient.invalidateQueries(trpc.accessKey.pathFilter());
      onDone();
    },
  });
}
