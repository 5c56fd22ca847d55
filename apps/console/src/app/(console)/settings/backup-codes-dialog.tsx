"use client";
import { Secret } from "@stashlight/ui/data";
import { Callout } from "@stashlight/ui/feedback";
import { SecretDialog } from "../secret-dialog.tsx";

export function BackupCodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <SecretDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keep your backup codes"
      description="Each code signs you in once if you lose your phone. They are not shown again."
      done="I have kept them"
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
    </SecretDialog>
  );
}
