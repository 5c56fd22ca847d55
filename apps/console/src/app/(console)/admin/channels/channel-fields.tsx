"use client";
import { Checkbox, Field, PasswordInput, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import type { ChannelForm } from "./channel-form.ts";
import { kindWords } from "./channel-words.ts";

interface ChannelFieldsProps {
  form: ChannelForm;
  change: (part: Partial<ChannelForm>) => void;
  hasSecret: boolean;
  isNew: boolean;
  errorOf: (field: "name" | "secret") => string | undefined;
}

type TextName = "name" | "url" | "host" | "port" | "user" | "from" | "to";

const kinds = (["webhook", "slack", "email"] as const).map((value) => ({ value, label: kindWords[value] }));
const securities = [
  { value: "starttls", label: "STARTTLS, required" },
  { value: "tls", label: "TLS from the start" },
  { value: "none", label: "none: readable on the way" },
] as const;

const secretLabels = { webhook: "Signing key", slack: "Webhook address", email: "Password" };
const secretHints = {
  webhook: "Without one, a key is made and shown once.",
  slack: "As Slack, Mattermost or Discord (its address with /slack) made it.",
  email: "Where the server wants one.",
};

export function ChannelFields({ form, change, hasSecret, isNew, errorOf }: ChannelFieldsProps) {
  const text = (name: TextName) => (
    <TextInput
      name={name}
      autoComplete="off"
      value={form[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
  const hint = isNew ? secretHints[form.kind] : "Leave it empty to keep the one that is there.";
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Name" error={errorOf("name")}>
          {text("name")}
        </Field>
        <Field label="Kind">
          <Select
            options={kinds}
            value={form.kind}
            disabled={!isNew}
            onValueChange={(kind) => change({ kind })}
          />
        </Field>
      </div>
      {form.kind === "webhook" && (
        <Field label="Address" hint="It is posted to; no redirect is followed.">
          {text("url")}
        </Field>
      )}
      {form.kind === "email" && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="Mail server">{text("host")}</Field>
          <Field label="Port">{text("port")}</Field>
          <Field label="Encryption">
            <Select
              options={securities}
              value={form.security}
              onValueChange={(security) => change({ security })}
            />
          </Field>
          <Field label="User" optional>
            {text("user")}
          </Field>
          <Field label="From">{text("from")}</Field>
          <Field label="To" hint="Several with commas between them.">
            {text("to")}
          </Field>
        </div>
      )}
      <Field
        label={secretLabels[form.kind]}
        hint={hint}
        optional={form.kind !== "slack" || hasSecret}
        error={errorOf("secret")}
      >
        <PasswordInput
          name="secret"
          autoComplete="off"
          value={form.secret}
          onChange={(event) => change({ secret: event.target.value })}
        />
      </Field>
      <Checkbox
        label="Default channel"
        hint="Told by every rule that names no channel of its own."
        checked={form.isDefault}
        onCheckedChange={(isDefault) => change({ isDefault })}
      />
      <Checkbox
        label="On"
        hint="While it is off, nothing is kept for it."
        checked={form.isEnabled}
        onCheckedChange={(isEnabled) => change({ isEnabled })}
      />
    </>
  );
}
