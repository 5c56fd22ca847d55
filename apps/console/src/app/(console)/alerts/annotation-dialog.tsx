"use client";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { serverNow } from "@stashlight/ui";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { choice, fieldTable, parsed, text } from "@stashlight/ui/fields";
import { toFieldValue } from "@stashlight/ui/time-ranges";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import { readInstant, readOptionalInstant } from "./instant-field.ts";
import { everyVault, useVaultOptions } from "./vault-options.ts";

interface AnnotationDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const annotationFields = fieldTable({
  text: text("Text", { help: "Shown on charts, such as “Deploy 4.2”." }),
  start: parsed("text", "Time", readInstant, { path: "startMs", type: "datetime-local" }),
  end: parsed("text", "Until", readOptionalInstant, {
    path: "endMs",
    type: "datetime-local",
    optional: true,
    help: "Leave empty for a point in time.",
  }),
  vault: choice<string>("Vault", [everyVault], { initial: "" }),
});

export function AnnotationDialog({ open, onOpenChange }: AnnotationDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.annotation.create.mutationOptions());
  const vaultOptions = useVaultOptions();
  const [openedMs] = useState(() => Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS);
  const form = useForm({
    table: annotationFields,
    initial: { ...annotationFields.initial, start: toFieldValue(openedMs) },
    send: async (typed) => {
      const { text: words, start, end, vault } = annotationFields.read(typed).values;
      const place = vault === "" ? null : vault;
      await create.mutateAsync({ text: words, startMs: start, endMs: end, vault: place });
      void queryClient.invalidateQueries(trpc.annotation.pathFilter());
      toast({ title: "Annotation added", description: words, status: "good" });
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title="Add annotation"
      description="All users see it on charts that cover its time."
      action="Add annotation"
    >
      <FormField form={form} name="text" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="start" />
        <FormField form={form} name="end" />
      </div>
      <FormField form={form} name="vault" options={vaultOptions} />
    </FormDialog>
  );
}
