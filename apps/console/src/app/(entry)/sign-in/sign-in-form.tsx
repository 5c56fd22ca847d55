"use client";
import { Callout } from "@stashlight/ui/feedback";
import { Button, CodeInput, Field, FormError, PasswordInput, TextInput } from "@stashlight/ui/form";
import { AuthCard } from "@stashlight/ui/layout";
import { type FormEvent, useState } from "react";
import {
  type SignInResult,
  signInWithCode,
  signInWithPassword,
  startSingleSignOn,
} from "../../../client/sign-in.ts";

interface SignInFormProps {
  nextPath: string;
  /** True before the installation is set up. */
  isFresh: boolean;
  singleSignOnName: string | null;
  initialError: string | null;
}

export function SignInForm({ nextPath, isFresh, singleSignOnName, initialError }: SignInFormProps) {
  const [step, setStep] = useState<"password" | "code">("password");
  const [error, setError] = useState(initialError);
  const [pending, setPending] = useState(false);

  async function submit(attempt: () => Promise<SignInResult>) {
    setPending(true);
    setError(null);
    const result = await attempt();
    // Loads the whole page, so that nothing rendered before sign-in remains.
    if (result.state === "signed-in") return location.assign(nextPath);
    setPending(false);
    setStep(
      result.state === "needs-code" || (step === "code" && result.state === "refused") ? "code" : "password",
    );
    if (result.state === "refused") setError(result.message);
    if (result.state === "start-over")
      setError("The second step took too long or was tried too often; sign in again.");
  }

  async function leaveForProvider() {
    setPending(true);
    setError(null);
    const result = await startSingleSignOn(nextPath);
    if ("url" in result) return location.assign(result.url);
    setPending(false);
    setError(result.message);
  }

  if (step === "code") {
    return <CodeStep error={error} pending={pending} onCode={(code) => submit(() => signInWithCode(code))} />;
  }
  return (
    <AuthCard title="Sign in" description="To watch, measure and plan your vaults.">
      {isFresh && (
        <div className="mb-5">
          <Callout status="info" title="This installation has no admin yet">
            Open the set-up link that Stashlight printed when it started, in its terminal or its log. It ends
            in <code>/setup#…</code> and works for an hour. Start Stashlight again to get another.
          </Callout>
        </div>
      )}
      <PasswordStep
        error={error}
        pending={pending}
        onPassword={(email, password) => submit(() => signInWithPassword(email, password))}
      />
      {singleSignOnName !== null && (
        <div className="mt-4 flex flex-col gap-4 border-t border-line pt-4">
          <Button variant="secondary" onClick={leaveForProvider} disabled={pending}>
            Sign in with {singleSignOnName}
          </Button>
        </div>
      )}
    </AuthCard>
  );
}

interface PasswordStepProps {
  error: string | null;
  pending: boolean;
  onPassword: (email: string, password: string) => void;
}

function PasswordStep({ error, pending, onPassword }: PasswordStepProps) {
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    onPassword(String(data.get("email")), String(data.get("password")));
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4" method="post">
      <FormError>{error}</FormError>
      <Field label="E-mail">
        <TextInput name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <Field label="Password">
        <PasswordInput name="password" autoComplete="current-password" required />
      </Field>
      <Button type="submit" variant="primary" pending={pending}>
        Sign in
      </Button>
    </form>
  );
}

interface CodeStepProps {
  error: string | null;
  pending: boolean;
  onCode: (code: string) => void;
}

function CodeStep({ error, pending, onCode }: CodeStepProps) {
  const [usesBackupCode, setUsesBackupCode] = useState(false);
  const [code, setCode] = useState("");
  return (
    <AuthCard
      title="Confirm that it is you"
      description={
        usesBackupCode
          ? "Enter one of your backup codes. Each works once."
          : "Enter the six-digit code that your authenticator app shows now."
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onCode(code.trim());
        }}
      >
        <FormError>{error}</FormError>
        {usesBackupCode ? (
          <Field label="Backup code">
            <TextInput
              mono
              autoComplete="off"
              required
              autoFocus
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </Field>
        ) : (
          <Field label="Code">
            <CodeInput name="code" value={code} onValueChange={setCode} onComplete={onCode} autoFocus />
          </Field>
        )}
        <Button type="submit" variant="primary" pending={pending}>
          Confirm
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            setCode("");
            setUsesBackupCode(!usesBackupCode);
          }}
        >
          {usesBackupCode ? "Use the authenticator app" : "Use a backup code"}
        </Button>
      </form>
    </AuthCard>
  );
}
