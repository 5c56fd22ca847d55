"use client";
import type { IssuedAccessKey } from "@stashlight/contracts/access-key";
import { accessKeyEffectSeconds } from "@stashlight/contracts/access-key/limits";
import { Secret } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Button } from "@stashlight/ui/form";

interface IssuedDialogProps {
  issued: IssuedAccessKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function IssuedDialog({ issued, open, onOpenChange }: IssuedDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Secret of the access key"
      description={`The key works within ${accessKeyEffectSeconds} s.`}
      footer={
        <Button variant="primary" onClick={() => onOpenChange(false)}>
          I have saved it
        </Button>
      }
    >
      <Secret label="Access key ID" value={issued.accessKeyId}>
        The ID is also shown in the table.
      </Secret>
      <Secret label="Secret access key" value={issued.secretAccessKey} />
    </Dialog>
  );
}
