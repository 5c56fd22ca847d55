"use client";
import type { AlertRuleRow } from "@stashlight/contracts";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { ConditionFields, NoticeFields, QueryFields } from "./rule-fields.tsx";
import { emptyForm, formOf, type RuleForm, ruleOf } from "./rule-form.ts";
import { RulePreview } from "./rule-preview.tsx";

interface RuleDialogProps {
  /** Null: a new one. */
  rule: AlertRuleRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RuleDialog({ rule, open, onOpenChange }: RuleDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [form, setForm] = useState<RuleForm>(() => (rule === null ? emptyForm : formOf(rule)));
  const create = useMutation(trpc.alert.createRule.mutationOptions());
  const update = useMutation(trpc.alert.updateRule.mutationOptions());
  const { isPending } = rule === null ? create : update;
  const failure = create.error ?? update.error;
  const { errorOf, formError } = placeProblem(failure === null ? null : toProblem(failure), ["name"]);
  const change = (part: Partial<RuleForm>) => setForm((current) => ({ ...current, ...part }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const input = ruleOf(form);
    const onSuccess = () => {
      void queryClient.invalidateQueries(trpc.alert.pathFilter());
      toast({ title: rule === null ? "Rule made" : "Rule changed", description: input.name, status: "good" });
      onOpenChange(false);
    };
    if (rule === null) create.mutate(input, { onSuccess });
    else update.mutate({ ruleId: rule.id, ...input }, { onSuccess });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={rule === null ? "New rule" : `Edit ${rule.name}`}
      description="What is asked every 15 s, when it fires, and who is told."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isPending}>
            {rule === null ? "Make rule" : "Save rule"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <QueryFields form={form} change={change} setForm={setForm} nameError={errorOf("name")} />
        <ConditionFields form={form} change={change} />
        <NoticeFields form={form} change={change} />
        <RulePreview form={form} />
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}
