"use client";
import type { AlertRuleRow } from "@stashlight/contracts/alert";
import { type Role, roleIncludes } from "@stashlight/contracts/user";
import { ActionMenu } from "@stashlight/ui/action-menu";
import { ConfirmDialog } from "@stashlight/ui/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BellOff, Pencil, Power, Trash2 } from "lucide-react";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { useOutcome } from "../../../client/use-outcome.ts";
import type { SilenceSubject } from "./silence-dialog.tsx";

interface RuleMenuProps {
  rule: AlertRuleRow;
  role: Role;
  onEdit: (rule: AlertRuleRow) => void;
  onSilence: ((subject: SilenceSubject) => void) | null;
}

export function RuleMenu({ rule, role, onEdit, onSilence }: RuleMenuProps) {
  const [isDeleting, setDeleting] = useState(false);
  const toggle = useToggle(rule);
  const isAdmin = roleIncludes(role, "admin");
  const adminOnly = isAdmin ? {} : { disabled: true, hint: "You need the admin role." };
  const builtIn = rule.isBuiltIn
    ? { disabled: true, hint: "Built-in rules cannot be deleted; turn this one off." }
    : {};
  const label = `Actions for ${rule.name}`;
  return (
    <>
      <ActionMenu
        label={label}
        items={[
          {
            id: "silence",
            label: "Silence rule",
            icon: <BellOff />,
            ...(onSilence === null ? { disabled: true, hint: "You need the operator role." } : {}),
            onSelect: () => onSilence?.({ ruleId: rule.id, ruleName: rule.name, labels: {} }),
          },
          {
            id: "edit",
            label: "Edit rule",
            icon: <Pencil />,
            ...adminOnly,
            onSelect: () => onEdit(rule),
          },
          {
            id: "toggle",
            label: rule.isEnabled ? "Turn off" : "Turn on",
            icon: <Power />,
            ...adminOnly,
            onSelect: toggle,
          },
          { id: "line", separator: true },
          {
            id: "delete",
            label: "Delete rule",
            icon: <Trash2 />,
            danger: true,
            ...builtIn,
            ...adminOnly,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      <DeleteDialog rule={rule} open={isDeleting} onOpenChange={setDeleting} />
    </>
  );
}

function useToggle({ id, name, isEnabled }: AlertRuleRow): () => void {
  const trpc = useTRPC();
  const mutation = useMutation(trpc.alert.enableRule.mutationOptions());
  const outcome = useOutcome(trpc.alert.pathFilter());
  return () =>
    mutation.mutate(
      { ruleId: id, isEnabled: !isEnabled },
      outcome({
        done: `${name} is turned ${isEnabled ? "off" : "on"}`,
        failed: `${name} was not changed`,
      }),
    );
}

interface DeleteDialogProps {
  rule: AlertRuleRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeleteDialog({ rule, open, onOpenChange }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(trpc.alert.deleteRule.mutationOptions());
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${rule.name}?`}
      consequence="Its alerts resolve, and their channels are notified. Its history stays."
      confirmLabel="Delete rule"
      describeError={describeError}
      onConfirm={async () => {
        await remove.mutateAsync({ ruleId: rule.id });
        await queryClient.invalidateQueries(trpc.alert.pathFilter());
      }}
    />
  );
}
