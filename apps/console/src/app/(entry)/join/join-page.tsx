"use client";
import { createApiClient } from "../../../client/trpc.tsx";
import { LinkPage } from "../link-page.tsx";
import { NewPasswordForm } from "../new-password-form.tsx";

export function JoinPage() {
  return (
    <LinkPage
      purpose="invitation"
      title="Join Stashlight"
      describe={({ invitedBy, role }) => `${invitedBy ?? "An admin"} invited you as ${role}.`}
    >
      {(token, { email }) => (
        <NewPasswordForm
          asksName
          email={email}
          action="Join"
          submit={({ name, password }) =>
            createApiClient().link.acceptInvitation.mutate({ token, name, password })
          }
        />
      )}
    </LinkPage>
  );
}
