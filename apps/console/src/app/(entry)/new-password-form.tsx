"use client";
import { Button, Field, FormError, TextInput } from "@stashlight/ui/form";
import { type FormEvent, useState } from "react";
import { type Problem, toProblem } from "../../client/errors.ts";
import { NewPasswordField } from "../../client/new-password-field.tsx";
import { placeProblem } from "../../client/place-problem.ts";
import { signInWithPassword } from "../../client/sign-in.ts";

export interface NewPerson {
  name: string;
  email: string;
  password: string;
}

interface NewPasswordFormProps {
  /** Shows the name field. */
  asksName: boolean;
  /** E-mail address given by the link; null asks for it. */
  email: string | null;
  action: string;
  /** Makes the change, and resolves to the e-mail address to sign in with. */
  submit: (person: NewPerson) => Promise<{ email: string }>;
}

/** Form behind set-up, invitation and password links; signs the user in afterwards. */
export function NewPasswordForm({ asksName, email, action, submit }: NewPasswordFormProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [pending, setPending] = useState(false);
  const { errorOf, formError } = placeProblem(problem, ["name", "email", "password"]);

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

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4" method="post">
      <FormError>{formError}</FormError>
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
      <NewPasswordField label="Password" name="password" error={errorOf("password")} />
      <Button type="submit" variant="primary" pending={pending}>
        {action}
      </Button>
    </form>
  );
}
