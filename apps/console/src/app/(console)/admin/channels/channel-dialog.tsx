"use client";
import type { ChannelRow } from "@stashlight/contracts";
import { Secret } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, FormError } from "@stashlight/ui/form";
import { useToast } from "@stashlight/ui/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { placeProblem, toProblem } from "../../../../client/errors.ts";
import { useTRPC } from "../../../../client/trpc.tsx";
import { ChannelFields } from "./channel-fields.tsx";
import { type ChannelForm, channelOf, emptyForm, formOf } from "./channel-form.ts";

interface ChannelDialogProps {
  /** Null: a new one. */
  channel: ChannelRow | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ChannelDialog({ channel, open, onOpenChange }: ChannelDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [form, setForm] = useState<ChannelForm>(() => (channel === null ? emptyForm : formOf(channel)));
  const create = useMutation(trpc.channel.create.mutationOptions());
  const update = useMutation(trpc.channel.update.mutationOptions());
  const failure = create.error ?? update.error;
  const problem = failure === null ? null : toProblem(failure);
  const { errorOf, formError } = placeProblem(problem, ["name", "secret"]);
  const { isPending } = channel === null ? create : update;
  const finish = (title: string) => {
    void queryClient.invalidateQueries(trpc.channel.pathFilter());
    toast({ title, description: form.name, status: "good" });
    onOpenChange(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const input = channelOf(form);
    if (channel !== null) {
      const onSuccess = () => finish("Channel changed");
      update.mutate({ channelId: channel.id, ...input }, { onSuccess });
      return;
    }
    create.mutate(input, {
      onSuccess: ({ signingKey }) => {
        if (signingKey === null) finish("Channel made");
        else void queryClient.invalidateQueries(trpc.channel.pathFilter());
      },
    });
  };
  const signingKey = create.data?.signingKey ?? null;
  if (signingKey !== null) {
    return <SigningKey signingKey={signingKey} open={open} onOpenChange={onOpenChange} />;
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={channel === null ? "New channel" : `Edit ${channel.name}`}
      description="Secrets are stored encrypted, and shown to nobody again."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isPending}>
            {channel === null ? "Make channel" : "Save channel"}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <ChannelFields
          form={form}
          change={(part) => setForm((current) => ({ ...current, ...part }))}
          hasSecret={channel?.secretHint != null}
          isNew={channel === null}
          errorOf={errorOf}
        />
        <FormError>{formError}</FormError>
      </form>
    </Dialog>
  );
}

interface SigningKeyProps {
  signingKey: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function SigningKey({ signingKey, open, onOpenChange }: SigningKeyProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Channel made"
      description="With this key the receiver checks that a message is ours. It is shown this once."
      footer={
        <Button variant="primary" onClick={() => onOpenChange(false)}>
          I have kept it
        </Button>
      }
    >
      <Secret label="Signing key" value={signingKey} />
      <p className="text-muted">
        The header <code className="font-mono text-sm">x-stashlight-signature</code> is{" "}
        <code className="font-mono text-sm">v1=</code> and the HMAC-SHA256, in hexadecimal, of the header{" "}
        <code className="font-mono text-sm">x-stashlight-timestamp</code>, a dot and the body.
      </p>
    </Dialog>
  );
}
