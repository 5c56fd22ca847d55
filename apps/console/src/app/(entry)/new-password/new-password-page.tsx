"use client";
import { createApiClient } from "../../../client/trpc.tsx";
import { LinkPage } from "../link-page.tsx";
import { NewPasswordForm } from "../new-password-form.tsx";

export function NewPasswordPage() {
  return (
    <LinkPage
      purpose="password"
      title="Choose a new password"
      describe={({ email }) => `For ${email}. Every open session of this user ends.`}
    >
      {(token, { email }) => (
        <NewPasswordForm
          asksName={false}
          email={email}
          action="Set password"
          submit={({ password }) => createApiClient().link.resetPassword.mutate({ token, password })}
        />
      )}
    </LinkPage>
  );
}
