"use client";
import { createApiClient } from "../../../client/trpc.tsx";
import { LinkPage } from "../link-page.tsx";
import { NewPasswordForm } from "../new-password-form.tsx";

export function SetupPage() {
  return (
    <LinkPage
      purpose="setup"
      title="Set up Stashlight"
      describe={() => "Create the first admin, who can then invite everyone else."}
    >
      {(token) => (
        <NewPasswordForm
          asksName
          email={null}
          action="Create admin"
          submit={async (person) => {
            await createApiClient().link.completeSetup.mutate({ token, ...person });
            return { email: person.email };
          }}
        />
      )}
    </LinkPage>
  );
}
