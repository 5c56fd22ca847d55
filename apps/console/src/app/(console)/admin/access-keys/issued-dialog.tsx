"use client";
import type { IssuedAccessKey } from "@stashlight/contracts/access-key";
import { accessKeyEffectSeconds } from "@stashlight/contracts/access-key/limits";
import { Secret } from "@stashlight/ui/data";
import { SecretDialog } from "../../secret-dialog.tsx";

interface IssuedDialogProps {
  issued: IssuedAccessKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function IssuedDialog({ issued, ...dialog }: IssuedDialogProps) {
  return (
    <SecretDialog
      {...dialog}
      title="Secret of the access key"
      description={`The key works within ${accessKeyEffectSeconds} s.`}
      done="I have saved it"
    >
      <Secret label="Access key ID" value={issued.accessKeyId}>
        The ID is also shown in the table.
      </Secret>
      <Secret label="Secret access key" value={issued.secretAccessKey} />
    </SecretDialog>
  );
}
