"use client";
import { driveCatalogue } from "@stashlight/devices";
import { Field, TextArea, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import type { ReactNode } from "react";
import {
  type ArrivalChoice,
  type FaultChoice,
  measuredDrive,
  type ScenarioField,
  type ScenarioForm,
  schemeChoices,
} from "./scenario-form.ts";

interface FieldsProps {
  readonly form: ScenarioForm;
  readonly onChange: (changes: Partial<ScenarioForm>) => void;
  readonly errorOf: (field: ScenarioField) => string | undefined;
}

type TypedField = {
  [Name in ScenarioField]: ScenarioForm[Name] extends string ? Name : never;
}[ScenarioField];

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-3 font-medium text-ink">{title}</legend>
      {children}
    </fieldset>
  );
}

function Typed({
  field,
  label,
  hint,
  form,
  onChange,
  errorOf,
}: FieldsProps & { field: TypedField; label: string; hint?: string }) {
  return (
    <Field label={label} error={errorOf(field)} hint={hint}>
      <TextInput
        inputMode={field === "name" ? "text" : "decimal"}
        value={form[field]}
        onChange={({ target }) => onChange({ [field]: target.value })}
      />
    </Field>
  );
}

const arrivalOptions: readonly { value: ArrivalChoice; label: string }[] = [
  { value: "steady", label: "Poisson at a steady rate" },
  { value: "diurnal", label: "A rate that has a day" },
  { value: "trace", label: "A trace of rates" },
];

export function LoadFields(props: FieldsProps) {
  const { form, onChange, errorOf } = props;
  return (
    <Group title="Load">
      <Typed {...props} field="name" label="Name" />
      <Typed {...props} field="minutes" label="Length, minutes" />
      <Field label="Uploads come">
        <Select
          options={arrivalOptions}
          value={form.arrivals}
          onValueChange={(arrivals) => onChange({ arrivals })}
        />
      </Field>
      {form.arrivals !== "trace" && <Typed {...props} field="uploadsPerSecond" label="Uploads a second" />}
      {form.arrivals === "diurnal" && (
        <div className="grid grid-cols-2 gap-3">
          <Typed {...props} field="swingPercent" label="Swing, %" />
          <Typed {...props} field="periodHours" label="Period, hours" />
        </div>
      )}
      {form.arrivals === "trace" && (
        <Field
          label="Trace"
          error={errorOf("trace")}
          hint="A line each: second, uploads a second from then on."
        >
          <TextArea
            mono
            rows={5}
            value={form.trace}
            onChange={({ target }) => onChange({ trace: target.value })}
          />
        </Field>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Typed {...props} field="objectKb" label="Object, kB" />
        <Typed {...props} field="seed" label="Seed" hint="The same seed, the same result." />
      </div>
    </Group>
  );
}

const driveOptions = (kind: "ssd" | "hdd", hasMeasured: boolean) => [
  ...driveCatalogue
    .filter((drive) => drive.kind === kind)
    .map(({ id, maker, model }) => ({ value: id as string, label: `${maker} ${model}` })),
  ...(hasMeasured ? [{ value: measuredDrive, label: "as measured on the live vault" }] : []),
];

export function VaultFields(props: FieldsProps) {
  const { form, onChange, errorOf } = props;
  return (
    <Group title="Vault">
      <Field label="Scheme">
        <Select
          options={schemeChoices.map((value) => ({ value, label: value }))}
          value={form.scheme}
          onValueChange={(scheme) => onChange({ scheme })}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Typed {...props} field="stashServers" label="Stash servers" />
        <Typed {...props} field="drivesPerServer" label="Drives a server" />
      </div>
      <Field label="Stash drive" error={errorOf("stashDrive")}>
        <Select
          options={driveOptions("ssd", Boolean(form.live?.stashSync))}
          value={form.stashDrive}
          onValueChange={(stashDrive) => onChange({ stashDrive })}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Typed {...props} field="stashGbPerDrive" label="Log of a drive, GB" />
        <Typed
          {...props}
          field="sharedPercent"
          label="Slow together, %"
          hint="Of syncs; 0 for drives of their own, more where they share a disk. Empty: as measured."
        />
      </div>
      <Field label="Pod drive" error={errorOf("podDrive")}>
        <Select
          options={driveOptions("hdd", Boolean(form.live?.podSync))}
          value={form.podDrive}
          onValueChange={(podDrive) => onChange({ podDrive })}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Typed {...props} field="networkUsMin" label="Message, µs least" />
        <Typed {...props} field="networkUsMax" label="Message, µs most" />
      </div>
      <Typed
        {...props}
        field="processorUs"
        label="Processor time an upload, µs"
        hint="HTTP, hashing and encoding, one upload after the other; the simulation runs none of them."
      />
    </Group>
  );
}

const faultOptions: readonly { value: FaultChoice; label: string }[] = [
  { value: "none", label: "Nothing" },
  { value: "pod outage", label: "Pods are away" },
  { value: "slow drive", label: "A drive is slow" },
  { value: "dead stash server", label: "A stash server dies" },
];

export function FaultFields(props: FieldsProps) {
  const { form, onChange } = props;
  return (
    <Group title="What goes wrong">
      <Field label="Fault">
        <Select options={faultOptions} value={form.fault} onValueChange={(fault) => onChange({ fault })} />
      </Field>
      {form.fault !== "none" && <Typed {...props} field="faultAtMinute" label="Begins at minute" />}
      {(form.fault === "pod outage" || form.fault === "slow drive") && (
        <Typed {...props} field="faultMinutes" label="Lasts, minutes" />
      )}
      {form.fault === "pod outage" && (
        <Typed
          {...props}
          field="podCount"
          label="Pods away"
          hint="An upload needs all pods but one: with two away none is acknowledged."
        />
      )}
      {form.fault === "slow drive" && (
        <div className="grid grid-cols-2 gap-3">
          <Field label="Of a">
            <Select
              options={[
                { value: "pod", label: "pod" },
                { value: "stash", label: "stash server" },
              ]}
              value={form.slowOf}
              onValueChange={(slowOf) => onChange({ slowOf })}
            />
          </Field>
          <Typed {...props} field="slowFactor" label="Times as slow" />
        </div>
      )}
      {form.fault === "dead stash server" && (
        <p className="text-muted">
          The server stays away. Where fewer drives are left than an upload has shards to acknowledge, the
          stash path is gone with it.
        </p>
      )}
    </Group>
  );
}
