"use client";
import type { LifecycleRule } from "@stashlight/contracts/bucket";
import { FormDialog, FormField, useFieldForm } from "@stashlight/ui/field-form";
import { toProblem } from "../../../client/errors.ts";
import { useTRPCClient } from "../../../client/trpc.tsx";
import { QuestionFailure, waitForAnswer } from "./bucket-questions.ts";
import { checkRuleForm, type RuleForm, ruleFields, toRule, toRuleForm } from "./rule-form.ts";
import type { RulesChange } from "./rules-section.tsx";

interface RuleDialogProps {
  readonly vault: string;
  readonly bucket: string;
  /** All rules of the bucket. */
  readonly rules: readonly LifecycleRule[];
  /** Null for a new rule. */
  readonly rule: LifecycleRule | null;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onPreviewed: (change: RulesChange) => void;
}

/** Fields of a rule. The dialog saves nothing: it ends with a preview, and the next dialog asks whether to save. */
export function RuleDialog(props: RuleDialogProps) {
  const { rule, open, onOpenChange } = props;
  const form = useRuleForm(props);
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title={rule === null ? "New lifecycle rule" : `Edit ${rule.id}`}
      description="The coordinator counts what the rule would delete, for up to 20 s, before you decide."
      action="Preview"
    >
      <FormField form={form} name="id" />
      <FormField form={form} name="prefix" />
      <FormField form={form} name="tags" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="above" />
        <FormField form={form} name="below" />
        <FormField form={form} name="expires" />
        <FormField form={form} name="days" />
        <FormField form={form} name="date" />
      </div>
      <FormField form={form} name="abort" />
      <FormField form={form} name="isEnabled" />
    </FormDialog>
  );
}

function useRuleForm({ vault, bucket, rules, rule, onPreviewed }: RuleDialogProps) {
  const client = useTRPCClient();
  const others = rules.filter(({ id }) => id !== rule?.id);
  return useFieldForm({
    table: ruleFields,
    initial: rule === null ? ruleFields.initial : toRuleForm(rule),
    problemsOf: (typed: RuleForm) =>
      checkRuleForm(
        typed,
        others.map(({ id }) => id),
      ),
    toProblem: (error) =>
      error instanceof QuestionFailure ? { message: error.message, field: null } : toProblem(error),
    send: async (typed) => {
      const changed = toRule(typed, rule);
      const all =
        rule === null ? [...rules, changed] : rules.map((each) => (each.id === rule.id ? changed : each));
      const asked = await client.bucket.preview.mutate({ vault, bucket, rules: all });
      const preview = await waitForAnswer(client, vault, { asked, type: "preview" });
      onPreviewed({ title: `Save the rule ${changed.id}?`, ruleId: changed.id, rules: all, preview });
    },
  });
}
