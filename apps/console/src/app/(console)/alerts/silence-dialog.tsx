"use client";
import type { SeriesLabel } from "@stashlight/contracts";
import { sayLabels } from "@stashlight/contracts/alert-words";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Field, FormError, TextArea } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";

export interface SilenceSubject {
  ruleId: string;
  ruleName: string;
  /** Of the group that is silenced; none: all groups of the rule. */
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

const matcherOf = (labels: Record<string, string>): Partial<Record<SeriesLabel, string[]>> =>
  Object.fromEntries(Object.entries(labels).map(([label, value]) => [label, [value]]));

export function SilenceDialog({ subject, open, onOpenChange }: SilenceDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [minutes, setMinutes] = useState<(typeof durations)[number]["value"]>("120");
  const [reason, setReason] = useState("");
  const silence = useMutation(trpc.alert.silence.mutationOptions());
  const { errorOf, formError } = placeProblem(silence.isError ? toProblem(silence.error) : null, ["reason"]);
  const where = sayLabels(subject.labels);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (silence.isPending) return;
    silence.mutate(
      { ruleId: subject.ruleId, labels: matcherOf(subject.labels), reason, minutes: Number(minutes) },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries(trpc.alert.pathFilter());
          toast({ title: "Silenced", description: `${subject.ruleName} ${where}`.trim(), status: "good" });
          onOpenChange(false);
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Silence ${subject.ruleName}`}
      description={`${where === "" ? "Every group of the rule" : where}. It is still watched and shown, but no channel is told; what still fires at the end is told then.`}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={silence.isPending}>
            Silence
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="For">
          <Select options={durations} value={minutes} onValueChange={setMinutes} />
        </Field>
        <Field label="Reason" hint="For whoever wonders later." error={errorOf("reason")}>
          <TextArea
            name="reason"
            rows={2}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}
