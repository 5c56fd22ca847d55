"use client";
import { Secret } from "@stashlight/ui/data";
import { Dialog } from "@stashlight/ui/dialog";
import { Callout } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";

export function BackupCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keep your backup codes"
      description="Each code signs you in once if you lose your phone. They are shown only now."
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono" aria-label="Backup codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Secret label="All codes" value={codes.join(" ")} />
        <Callout status="warning" title="Not on the phone that has the app">
          A password manager or a printed page is a good place.
        </Callout>
      </div>
    </Dialog>
  );
}
