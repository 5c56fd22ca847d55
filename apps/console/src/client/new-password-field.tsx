"use client";
import { passwordLengthMin } from "@stashlight/contracts/user";
import { Field, PasswordInput } from "@stashlight/ui/form";

interface NewPasswordFieldProps {
  label: string;
  name: string;
  error: string | undefined;
}

/** Field for a new password. It states the requirements before the server can refuse. */
export function NewPasswordField({ label, name, error }: NewPasswordFieldProps) {
  return (
    <Field
      label={label}
      hint={`At least ${passwordLengthMin} characters. A few unrelated words work well.`}
      error={error}
    >
      <PasswordInput
        name={name}
        autoComplete="new-password"
        required
        minLength={passwordLengthMin}
        maxLength={256}
      />
    </Field>
  );
}
