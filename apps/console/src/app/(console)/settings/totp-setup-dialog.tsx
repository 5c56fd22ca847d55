"use client";
import { CopyableId } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, CodeInput, Field } from "@stashlight/ui/form";
import { QrCode } from "@stashlight/ui/qr";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { describeError } from "../../../client/errors.ts";
import { useTRPC } from "../../../client/trpc.tsx";

interface TotpSetupDialogProps {
  uri: string;
  onClose: () => void;
  onConfirmed: () => Promise<void>;
}

export function TotpSetupDialog({ uri, onClose, onConfirmed }: TotpSetupDialogProps) {
  const trpc = useTRPC();
  const [code, setCode] = useState("");
  const confirm = useMutation(trpc.account.confirmTotp.mutationOptions({ onSuccess: onConfirmed }));
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const submit = (value: string) => {
    if (!confirm.isPending) confirm.mutate({ code: value });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Set up your authenticator app"
      description="Scan the QR code with the app, or enter the key by hand. Then enter the code that the app shows."
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" pending={confirm.isPending} onClick={() => submit(code)}>
            Turn on
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5 sm:flex-row sm:items-start">
        <QrCode value={uri} title="Set-up code for your authenticator app" size={176} />
        <div className="flex min-w-0 flex-1 flex-col gap-4">
          <div className="flex flex-col gap-1">
            <span className="text-base font-medium text-ink">Key</span>
            <CopyableId value={secret} />
          </div>
          <Field label="Code" error={confirm.isError ? describeError(confirm.error) : undefined}>
            <CodeInput name="code" value={code} onValueChange={setCode} onComplete={submit} />
          </Field>
        </div>
      </div>
    </Dialog>
  );
}
