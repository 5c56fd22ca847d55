"use client";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { area, fieldTable } from "@stashlight/ui/fields";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";

export interface AcknowledgeSubject {
  ruleId: string;
  vault: string;
  title: string;
}

interface AcknowledgeDialogProps {
  subject: AcknowledgeSubject;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const fields = fieldTable({
  note: area("Note", { rows: 2, optional: true, help: "What you found, or what you will do." }),
});

export function AcknowledgeDialog({ subject, open, onOpenChange }: AcknowledgeDialogProps) {
  const { title, ...place } = subject;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const acknowledge = useMutation(trpc.alert.acknowledge.mutationOptions());
  const form = useForm({
    table: fields,
    send: async ({ note }) => {
      await acknowledge.mutateAsync({ ...place, note });
      void queryClient.invalidateQueries(trpc.alert.pathFilter());
      toast({ title: "Acknowledged", description: title, status: "good" });
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title="Acknowledge the alert"
      description={`${title} Your name and note are shown with it and sent to the channels that were notified. Reminders stop until it resolves; new alerts of the same cause are still sent.`}
      action="Acknowledge"
    >
      <FormField form={form} name="note" />
    </FormDialog>
  );
}
