"use client";
import { Secret } from "@stashlight/ui/data";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { fieldTable, number, text } from "@stashlight/ui/fields";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import { SecretDialog } from "../secret-dialog.tsx";

const TITLE_LENGTH_MAX = 120;

interface ShareDialogProps {
  /** Initial title. */
  subjectName: string;
  description: string;
  /** Creates the link and returns its address. */
  share: (fields: { title: string; lifetimeDays: number }) => Promise<{ url: string }>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const linkFields = fieldTable({
  title: text("Title"),
  lifetimeDays: number("Valid for, days", {
    initial: "30",
    inputMode: "numeric",
    problem: "Enter a whole number of days.",
  }),
});

/** Creates a link through which anyone can read a report in its current state. */
export function ShareDialog({ subjectName, description, share, open, onOpenChange }: ShareDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: share,
    onSuccess: () => queryClient.invalidateQueries(trpc.reportLink.pathFilter()),
  });
  const form = useForm({
    table: linkFields,
    initial: { ...linkFields.initial, title: subjectName.slice(0, TITLE_LENGTH_MAX) },
    send: (typed) => create.mutateAsync(linkFields.read(typed).values),
  });
  const shown = { open, onOpenChange, title: "Share report", description };
  if (create.data !== undefined) {
    return (
      <SecretDialog {...shown}>
        <Secret label="Report link" value={create.data.url} />
      </SecretDialog>
    );
  }
  return (
    <FormDialog {...shown} form={form} action="Create link">
      <FormField form={form} name="title" />
      <FormField form={form} name="lifetimeDays" />
    </FormDialog>
  );
}
