"use client";
import { Dialog } from "@stashlight/ui/dialog";
import { Button, Field, PasswordInput } from "@stashlight/ui/form";
import { type FormEvent, useId, useState } from "react";
import { describeError } from "../../../client/errors.ts";

interface ConfirmPasswordDialogProps {
  title: string;
  danger: boolean;
  onClose: () => void;
  /** Rejects if the password or the action after it is refused; the dialog shows the reason. */
  onPassword: (password: string) => Promise<void>;
}

export function ConfirmPasswordDialog({ title, danger, onClose, onPassword }: ConfirmPasswordDialogProps) {
  const formId = useId();
  const [error, setError] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    setPending(true);
    setError(null);
    try {
      await onPassword(password);
    } catch (thrown) {
      setError(describeError(thrown));
      setPending(false);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="Enter your password to confirm that it is you."
      size="sm"
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant={danger ? "danger" : "primary"} pending={pending}>
            Continue
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={onSubmit}>
        <Field label="Password" error={error ?? undefined}>
          <PasswordInput name="password" autoComplete="current-password" required autoFocus />
        </Field>
      </form>
    </Dialog>
  );
}
