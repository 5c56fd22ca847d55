"use client";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { fieldTable, text } from "@stashlight/ui/fields";
import { useForm } from "../../client/use-form.ts";

interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly label: string;
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onName: (name: string) => Promise<unknown>;
}

const nameFields = fieldTable({ name: text("Name") });

export function NameDialog({ action, label, name, onName, ...dialog }: NameDialogProps) {
  const form = useForm({
    table: nameFields,
    initial: { name },
    send: async (typed) => {
      await onName(typed.name);
      dialog.onOpenChange(false);
    },
  });
  return (
    <FormDialog {...dialog} form={form} action={action} size="sm">
      <FormField form={form} name="name" label={label} />
    </FormDialog>
  );
}
