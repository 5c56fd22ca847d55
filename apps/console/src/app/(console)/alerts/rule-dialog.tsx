"use client";
import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { FormDialog } from "@stashlight/ui/field-form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import { ConditionFields, NoticeFields, QueryFields } from "./rule-fields.tsx";
import { emptyForm, ruleFields, toRule, toRuleForm } from "./rule-form.ts";
import { RulePreview } from "./rule-preview.tsx";

interface RuleDialogProps {
  /** Null for a new rule. */
  rule: AlertRuleRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RuleDialog({ rule, open, onOpenChange }: RuleDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.alert.createRule.mutationOptions());
  const update = useMutation(trpc.alert.updateRule.mutationOptions());
  const form = useForm({
    table: ruleFields,
    initial: rule === null ? emptyForm : toRuleForm(rule),
    send: async (typed) => {
      const input = toRule(typed);
      if (rule === null) await create.mutateAsync(input);
      else await update.mutateAsync({ ruleId: rule.id, ...input });
      void queryClient.invalidateQueries(trpc.alert.pathFilter());
      const title = rule === null ? "Rule created" : "Rule changed";
      toast({ title, description: input.name, status: "good" });
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={rule === null ? "New rule" : `Edit ${rule.name}`}
      description="The query evaluated every 15 s, when it fires, and which channels are notified."
      action={rule === null ? "Create rule" : "Save rule"}
    >
      <QueryFields form={form} />
      <ConditionFields form={form} />
      <NoticeFields form={form} />
      <RulePreview form={form.typed} />
    </FormDialog>
  );
}
