"use client";
import { formatLabels } from "@stashlight/contracts/alert";
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { area, choice, fieldTable } from "@stashlight/ui/fields";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";

export interface SilenceSubject {
  ruleId: string;
  ruleName: string;
  /** Labels of the group to silence; without labels, all groups of the rule. */
  labels: Record<string, string>;
}

interface SilenceDialogProps {
  subject: SilenceSubject;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const durations = [
  { value: "30", label: "30 minutes" },
  { value: "120", label: "2 hours" },
  { value: "480", label: "8 hours" },
  { value: "1440", label: "a day" },
  { value: "10080", label: "a week" },
] as const;

const silenceFields = fieldTable({
  minutes: choice("Duration", durations, { initial: "120" }),
  reason: area("Reason", { rows: 2, help: "Shown in the list of silences." }),
});

const toMatcher = (labels: Record<string, string>): Partial<Record<SeriesLabel, string[]>> =>
  Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, [value]]));

export function SilenceDialog({ subject, open, onOpenChange }: SilenceDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const silence = useMutation(trpc.alert.silence.mutationOptions());
  const where = formatLabels(subject.labels);
  const form = useForm({
    table: silenceFields,
    send: async ({ minutes, reason }) => {
      const labels = toMatcher(subject.labels);
      await silence.mutateAsync({ ruleId: subject.ruleId, labels, reason, minutes: Number(minutes) });
      void queryClient.invalidateQueries(trpc.alert.pathFilter());
      toast({ title: "Silenced", description: `${subject.ruleName} ${where}`.trim(), status: "good" });
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title={`Silence ${subject.ruleName}`}
      description={`${where === "" ? "Every group of the rule" : where}. The rule is still evaluated and shown, but no channel is notified until the silence ends. Alerts that fire then are reported.`}
      action="Silence"
    >
      <FormField form={form} name="minutes" />
      <FormField form={form} name="reason" />
    </FormDialog>
  );
}
