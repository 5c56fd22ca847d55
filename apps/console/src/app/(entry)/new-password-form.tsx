"use client";
import { passwordLengthMin } from "@stashlight/contracts/password";
import { Button, Field, FormError, PasswordInput, TextInput } from "@stashlight/ui/form";
import { type FormEvent, useState } from "react";
import { type Problem, toProblem } from "../../client/errors.ts";
import { signInWithPassword } from "../../client/sign-in.ts";

export interface NewPerson {
  name: string;
  email: string;
  password: string;
}

interface NewPasswordFormProps {
  /** Asks for a name, or not. */
  asksName: boolean;
  /** The address when it is given by the link; null asks for it. */
  email: string | null;
  action: string;
  /** Makes the change; resolves to the address to sign in with. */
  submit: (person: NewPerson) => Promise<{ email: string }>;
}

/** The form of set-up, invitation and password link; signs in when it is done. */
export function NewPasswordForm({ asksName, email, action, submit }: NewPasswordFormProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [pending, setPending] = useState(false);
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => String(data.get(name) ?? "");
    const person = { name: read("name"), email: email ?? read("email"), password: read("password") };
    setPending(true);
    setProblem(null);
    try {
      const done = await submit(person);
      const result = await signInWithPassword(done.email, person.password);
      location.assign(result.state === "signed-in" ? "/" : "/sign-in");
    } catch (error) {
      setPending(false);
      setProblem(toProblem(error));
    }
  }

  const shownInPlace =
    problem?.field !== null && ["name", "email", "password"].includes(problem?.field ?? "");
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4" method="post">
      {problem !== null && !shownInPlace && <FormError>{problem.message}</FormError>}
      {asksName && (
        <Field label="Name" error={errorOf("name")}>
          <TextInput name="name" autoComplete="name" required maxLength={100} autoFocus />
        </Field>
      )}
      <Field label="E-mail" error={errorOf("email")}>
        <TextInput
          name="email"
          type="email"
          autoComplete="username"
          required
          {...(email === null ? {} : { defaultValue: email, readOnly: true })}
        />
      </Field>
      <Field
        label="Password"
        hint={`At least ${passwordLengthMin} characters; a few unrelated words are good.`}
        error={errorOf("password")}
      >
        <PasswordInput
          name="password"
          autoComplete="new-password"
          required
          minLength={passwordLengthMin}
          maxLength={256}
        />
      </Field>
      <Button type="submit" variant="primary" pending={pending}>
        {action}
      </Button>
    </form>
  );
}
