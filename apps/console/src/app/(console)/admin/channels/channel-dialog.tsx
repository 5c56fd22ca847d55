"use client";
import { type ChannelKind, type ChannelRow, missingSecrets, serviceUrls } from "@stashlight/contracts/alert";
import { Secret } from "@stashlight/ui/data";
import { FormDialog, FormField } from "@stashlight/ui/field-form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../../client/trpc.tsx";
import { useForm } from "../../../../client/use-form.ts";
import { SecretDialog } from "../../secret-dialog.tsx";
import { channelFields, emptyForm, toChannelForm, toChannelInput } from "./channel-form.ts";
import { secretLabels } from "./channel-labels.ts";

interface ChannelDialogProps {
  /** Null for a new channel. */
  channel: ChannelRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Default address of a service, used when the field is empty. */
const addressField = (kind: ChannelKind) =>
  kind in serviceUrls
    ? { help: `Empty: ${serviceUrls[kind as keyof typeof serviceUrls]}`, optional: true }
    : {};

export function ChannelDialog({ channel, open, onOpenChange }: ChannelDialogProps) {
  const { form, signingKey } = useChannelForm(channel, () => onOpenChange(false));
  if (signingKey !== null) {
    return <SigningKey signingKey={signingKey} open={open} onOpenChange={onOpenChange} />;
  }
  const { kind } = form.typed;
  const isNew = channel === null;
  return (
    <FormDialog
      form={form}
      open={open}
      onOpenChange={onOpenChange}
      title={isNew ? "New channel" : `Edit ${channel.name}`}
      description="Secrets are stored encrypted and never shown again."
      action={isNew ? "Create channel" : "Save channel"}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormField form={form} name="name" />
        <FormField form={form} name="kind" disabled={!isNew} />
      </div>
      <FormField form={form} name="url" {...addressField(kind)} />
      <FormField form={form} name="topic" />
      {kind === "email" && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <FormField form={form} name="host" />
          <FormField form={form} name="port" />
          <FormField form={form} name="security" />
          <FormField form={form} name="user" />
          <FormField form={form} name="from" />
          <FormField form={form} name="to" />
        </div>
      )}
      <FormField
        form={form}
        name="secret"
        label={secretLabels[kind].label}
        help={isNew ? secretLabels[kind].help : "Leave it empty to keep the stored one."}
        optional={missingSecrets[kind] === undefined || !isNew}
      />
      <FormField form={form} name="isDefault" />
      <FormField form={form} name="isEnabled" />
    </FormDialog>
  );
}

function useChannelForm(channel: ChannelRow | null, onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const create = useMutation(trpc.channel.create.mutationOptions());
  const update = useMutation(trpc.channel.update.mutationOptions());
  const form = useForm({
    table: channelFields,
    initial: channel === null ? emptyForm : toChannelForm(channel),
    send: async (typed) => {
      const input = toChannelInput(typed);
      const created = channel === null ? await create.mutateAsync(input) : null;
      if (channel !== null) await update.mutateAsync({ channelId: channel.id, ...input });
      void queryClient.invalidateQueries(trpc.channel.pathFilter());
      if (created !== null && created.signingKey !== null) return;
      toast({
        title: created === null ? "Channel changed" : "Channel created",
        description: input.name,
        status: "good",
      });
      onDone();
    },
  });
  return { form, signingKey: create.data?.signingKey ?? null };
}

interface SigningKeyProps {
  signingKey: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function SigningKey({ signingKey, ...dialog }: SigningKeyProps) {
  return (
    <SecretDialog
      {...dialog}
      title="Channel created"
      description="With this key the receiver verifies that a message comes from Stashlight. It is shown only once."
      done="I have saved it"
    >
      <Secret label="Signing key" value={signingKey} />
      <p className="text-muted">
        The header <code className="font-mono text-sm">x-stashlight-signature</code> is{" "}
        <code className="font-mono text-sm">v1=</code> and the HMAC-SHA256, in hexadecimal, of the header{" "}
        <code className="font-mono text-sm">x-stashlight-timestamp</code>, a dot and the body.
      </p>
    </SecretDialog>
  );
}
