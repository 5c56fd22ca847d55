"use client";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { serverNow } from "@stashlight/ui";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { area, choice, fieldTable, flag, parsed } from "@stashlight/ui/fields";
import { toFieldValue } from "@stashlight/ui/time-ranges";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { useForm } from "../../../client/use-form.ts";
import { readInstant } from "./instant-field.ts";
import { everyVault, useVaultOptions } from "./vault-options.ts";

interface MaintenanceDialogProps {
  rules: readonly { readonly id: string; readonly name: string }[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const everyRule = { value: "", label: "every rule" };
const usualMinutes = 120;

const readNames = (typed: string) => ({
  value: typed.split(/[\s,;]+/).filter((name) => name !== ""),
});

const maintenanceFields = fieldTable({
  reason: area("Reason", { rows: 2, help: "The work to be done; charts show it too." }),
  ruleId: choice<string>("Rule", [everyRule], { initial: "" }),
  vault: choice<string>("Vault", [everyVault], { initial: "", path: "labels.vault" }),
  nodes: parsed("text", "Nodes", readNames, {
    path: "labels.node",
    optional: true,
    help: "Separate names with commas. Empty: all nodes.",
  }),
  start: parsed("text", "From", readInstant, { path: "startMs", type: "datetime-local" }),
  end: parsed("text", "To", readInstant, { path: "endMs", type: "datetime-local" }),
  isWeekly: flag("Every week", {
    help: "At the same hours of the same weekday in UTC, until a user ends it.",
  }),
});

export function MaintenanceDialog({ rules, open, onOpenChange }: MaintenanceDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const plan = useMutation(trpc.alert.planMaintenance.mutationOptions());
  const vaultOptions = useVaultOptions();
  const [openedMs] = useState(() => Math.ceil(serverNow() / MINUTE_MS) * MINUTE_MS);
  const form = useForm({
    table: maintenanceFields,
    initial: {
      ...maintenanceFields.initial,
      start: toFieldValue(openedMs),
      end: toFieldValue(openedMs + usualMinutes * MINUTE_MS),
    },
    send: async (typed) => {
      const { reason, ruleId, vault, nodes, start, end, isWeekly } = maintenanceFields.read(typed).values;
      await plan.mutateAsync({
        ruleId: ruleId === "" ? null : ruleId,
        labels: {
          ...(vault === "" ? {} : { vault: [vault] }),
          ...(nodes.length === 0 ? {} : { node: nodes }),
        },
        reason,
        startMs: start,
        endMs: end,
        isWeekly,
      });
      void queryClient.invalidateQueries(trpc.alert.pathFilter());
      toast({ title: "Maintenance planned", description: reason, status: "good" });
      onOpenChange(false);
    },
  });
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title="Plan maintenance"
      description="Alerts in the window are recorded and shown, but no channel is notified. Alerts that still fire at its end are reported."
      action="Plan maintenance"
    >
      <FormField form={form} name="reason" />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="start" />
        <FormField form={form} name="end" />
      </div>
      <FormField form={form} name="isWeekly" />
      <FormField
        form={form}
        name="ruleId"
        options={[everyRule, ...rules.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="vault" options={vaultOptions} />
        <FormField form={form} name="nodes" />
      </div>
    </FormDialog>
  );
}
