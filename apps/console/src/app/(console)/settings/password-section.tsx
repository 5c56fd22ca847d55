"use client";
import { Callout } from "@stashlight/ui/feedback";
import { Button, Field, FormError, PasswordInput } from "@stashlight/ui/form";
import { Section } from "@stashlight/ui/layout";
import { useToast } from "@stashlight/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { toProblem } from "../../../client/errors.ts";
import { NewPasswordField } from "../../../client/new-password-field.tsx";
import { placeProblem } from "../../../client/place-problem.ts";
import { useTRPC } from "../../../client/trpc.tsx";
import { type Settings, useRefreshSettings } from "./use-settings.ts";

export function PasswordSection({ settings }: { settings: Settings }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshSettings();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: async ({ endedCount }) => {
        form.current?.reset();
        await refresh();
        toast({
          title: "Password changed",
          description: `Other sessions ended: ${endedCount}.`,
          status: "good",
        });
      },
    }),
  );
  if (!settings.hasPassword) {
    return (
      <Section title="Password">
        <Callout status="info" title="You sign in through your identity provider">
          There is no password here to change.
        </Callout>
      </Section>
    );
  }
  const problem = change.isError ? toProblem(change.error) : null;
  const { errorOf, formError } = placeProblem(problem, ["currentPassword", "newPassword"]);
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    change.mutate({
      currentPassword: String(data.get("currentPassword")),
      newPassword: String(data.get("newPassword")),
    });
  }
  return (
    <Section title="Password" description="Changing it signs you out everywhere else." card>
      <form ref={form} className="flex flex-col gap-4 py-1" onSubmit={onSubmit}>
        <FormError>{formError}</FormError>
        <input type="hidden" name="username" autoComplete="username" value={settings.email} readOnly />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Current password" error={errorOf("currentPassword")}>
            <PasswordInput name="currentPassword" autoComplete="current-password" required />
          </Field>
          <NewPasswordField label="New password" name="newPassword" error={errorOf("newPassword")} />
        </div>
        <div>
          <Button type="submit" variant="secondary" pending={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </Section>
  );
}
