"use client";
import { Checkbox, Field, PasswordInput, TextArea, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useId } from "react";
import type { CredentialsForm, EndpointForm, PriceField } from "./endpoint-form.ts";
import { priceFields, withKind, withRegion } from "./endpoint-form.ts";
import { kindPresets, kindWords } from "./presets.ts";

interface FieldsProps {
  form: EndpointForm;
  setForm: (form: EndpointForm) => void;
  errorOf: (field: string) => string | undefined;
}

const kinds = (["b2", "s3", "s3-compatible", "vault"] as const).map((value) => ({
  value,
  label: kindWords[value],
}));
const addressings = [
  { value: "path", label: "Path: host/bucket/key" },
  { value: "host", label: "Host: bucket.host/key" },
] as const;

export function PlaceFields({ form, setForm, errorOf }: FieldsProps) {
  const regionsId = useId();
  const text = (name: "name" | "url" | "bucket" | "prefix", mono = true) => (
    <TextInput
      name={name}
      mono={mono}
      autoComplete="off"
      spellCheck={false}
      value={form[name]}
      onChange={(event) => setForm({ ...form, [name]: event.target.value })}
    />
  );
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Name" error={errorOf("name")}>
        {text("name", false)}
      </Field>
      <Field label="Kind">
        <Select options={kinds} value={form.kind} onValueChange={(kind) => setForm(withKind(form, kind))} />
      </Field>
      <Field label="Region" hint="As the bucket's page names it." error={errorOf("region")}>
        <TextInput
          name="region"
          mono
          autoComplete="off"
          list={regionsId}
          value={form.region}
          onChange={(event) => setForm(withRegion(form, event.target.value))}
        />
      </Field>
      <datalist id={regionsId}>
        {kindPresets[form.kind].regions.map((region) => (
          <option key={region} value={region} />
        ))}
      </datalist>
      <Field
        label="Address"
        hint="Protocol, host and port, without the bucket."
        error={errorOf("url")}
        className="sm:order-none"
      >
        {text("url")}
      </Field>
      <Field label="Bucket" hint="It must be there already." error={errorOf("bucket")}>
        {text("bucket")}
      </Field>
      <Field label="Prefix" optional hint="Everything is written below it." error={errorOf("prefix")}>
        {text("prefix")}
      </Field>
      <Field label="Addressing">
        <Select
          options={addressings}
          value={form.addressing}
          onValueChange={(addressing) => setForm({ ...form, addressing })}
        />
      </Field>
    </div>
  );
}

interface CredentialsFieldsProps {
  form: CredentialsForm;
  change: (part: Partial<CredentialsForm>) => void;
  errorOf: (field: string) => string | undefined;
}

export function CredentialsFields({ form, change, errorOf }: CredentialsFieldsProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Access key's id" error={errorOf("credentials.accessKeyId")}>
        <TextInput
          name="accessKeyId"
          mono
          autoComplete="off"
          spellCheck={false}
          value={form.accessKeyId}
          onChange={(event) => change({ accessKeyId: event.target.value })}
        />
      </Field>
      <Field
        label="Secret access key"
        hint="Stored encrypted; nobody is shown it again."
        error={errorOf("credentials.secretAccessKey")}
      >
        <PasswordInput
          name="secretAccessKey"
          autoComplete="off"
          value={form.secretAccessKey}
          onChange={(event) => change({ secretAccessKey: event.target.value })}
        />
      </Field>
    </div>
  );
}

const priceWords: Record<PriceField, string> = {
  perThousandPuts: "1,000 PUTs, $",
  perThousandGets: "1,000 GETs, $",
  perGbEgress: "GB of egress, $",
  perGbMonth: "GB stored a month, $",
  minimumStorageDays: "Charged for at least, days",
};

export function PriceFields({ form, setForm, errorOf }: FieldsProps) {
  const input = (name: PriceField | "asOf") => (
    <TextInput
      name={name}
      inputMode={name === "asOf" ? "text" : "decimal"}
      placeholder={name === "asOf" ? "2026-01-31" : ""}
      autoComplete="off"
      value={form[name]}
      onChange={(event) => setForm({ ...form, [name]: event.target.value })}
    />
  );
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        label="Price list"
        hint="Costs and budgets of plans are counted by it. What is filled in are list prices of their day: check them."
        checked={form.hasPrices}
        onCheckedChange={(hasPrices) => setForm({ ...form, hasPrices })}
      />
      {errorOf("priceList") !== undefined && <p className="text-base text-bad">{errorOf("priceList")}</p>}
      {form.hasPrices && (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {priceFields.map((name) => (
            <Field key={name} label={priceWords[name]} error={errorOf(`priceList.${name}`)}>
              {input(name)}
            </Field>
          ))}
          <Field label="Day of the prices" error={errorOf("priceList.asOf")}>
            {input("asOf")}
          </Field>
        </div>
      )}
    </div>
  );
}

export function CertificateField({ form, setForm, errorOf }: FieldsProps) {
  return (
    <Field
      label="Certificate authorities"
      optional
      hint="In PEM form, where the endpoint's certificate is not signed by a public authority."
      error={errorOf("caPem")}
    >
      <TextArea
        name="caPem"
        mono
        rows={3}
        spellCheck={false}
        placeholder="-----BEGIN CERTIFICATE-----"
        value={form.caPem}
        onChange={(event) => setForm({ ...form, caPem: event.target.value })}
      />
    </Field>
  );
}
