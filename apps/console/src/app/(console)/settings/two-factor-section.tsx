"use client";
import { lazyPart } from "@stashlight/ui";
import { Badge, Callout } from "@stashlight/ui/feedback";
import { Button } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import { BackupCodesDialog } from "./backup-codes-dialog.tsx";
import { ConfirmPasswordDialog } from "./confirm-password-dialog.tsx";
import { type Settings, useRefreshSettings } from "./use-settings.ts";

// Lazy, because it includes the QR code renderer.
const TotpSetupDialog = lazyPart(async () => (await import("./totp-setup-dialog.tsx")).TotpSetupDialog);

type Change = "enable" | "disable" | "renew";

type Step =
  | { name: "none" }
  | { name: "password"; to: Change }
  | { name: "setup"; uri: string; backupCodes: string[] }
  | { name: "codes"; backupCodes: string[] };

const passwordTitles = {
  enable: "Turn on two-factor sign-in",
  disable: "Turn off two-factor sign-in",
  renew: "Renew backup codes",
};

export function TwoFactorSection({ settings }: { settings: Settings }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshSettings();
  const [step, setStep] = useState<Step>({ name: "none" });
  const start = useMutation(trpc.account.startTotp.mutationOptions());
  const disable = useMutation(trpc.account.disableTotp.mutationOptions());
  const renew = useMutation(trpc.account.renewBackupCodes.mutationOptions());

  async function withPassword(to: Change, password: string) {
    if (to === "enable") {
      const setup = await start.mutateAsync({ password });
      setStep({ name: "setup", ...setup });
    } else if (to === "renew") {
      const { backupCodes } = await renew.mutateAsync({ password });
      setStep({ name: "codes", backupCodes });
    } else {
      await disable.mutateAsync({ password });
      await refresh();
      setStep({ name: "none" });
      toast({ title: "Two-factor sign-in is off", status: "warning" });
    }
  }

  const close = () => setStep({ name: "none" });
  return (
    <Section
      title="Two-factor sign-in"
      description="Sign-in asks for a code from your phone in addition to the password, so that a stolen password alone is not enough."
      card
    >
      {settings.hasPassword ? (
        <TwoFactorState
          isOn={settings.twoFactorEnabled}
          onChoose={(to) => setStep({ name: "password", to })}
        />
      ) : (
        <Callout status="info" title="Your identity provider decides">
          You sign in through your identity provider, so turn on two-factor sign-in there.
        </Callout>
      )}
      {step.name === "password" && (
        <ConfirmPasswordDialog
          title={passwordTitles[step.to]}
          danger={step.to === "disable"}
          onClose={close}
          onPassword={(password) => withPassword(step.to, password)}
        />
      )}
      {step.name === "setup" && (
        <TotpSetupDialog
          uri={step.uri}
          onClose={close}
          onConfirmed={async () => {
            await refresh();
            setStep({ name: "codes", backupCodes: step.backupCodes });
          }}
        />
      )}
      {step.name === "codes" && <BackupCodesDialog codes={step.backupCodes} onClose={close} />}
    </Section>
  );
}

function TwoFactorState({ isOn, onChoose }: { isOn: boolean; onChoose: (change: Change) => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-1">
      <Badge status={isOn ? "good" : "unknown"}>{isOn ? "On" : "Off"}</Badge>
      {isOn ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onChoose("renew")}>Renew backup codes</Button>
          <Button variant="danger" onClick={() => onChoose("disable")}>
            Turn off
          </Button>
        </div>
      ) : (
        <Button onClick={() => onChoose("enable")}>Turn on</Button>
      )}
    </div>
  );
}
