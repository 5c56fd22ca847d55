"use client";
import { type FieldForm, FormField } from "@stashlight/ui/field-form";
import type { ReactNode } from "react";
import { driveOptions, type SyncedDrive, type scenarioFields } from "./scenario-form.ts";

interface FieldsProps {
  readonly form: FieldForm<typeof scenarioFields.specs>;
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-3 font-medium text-ink">{title}</legend>
      {children}
    </fieldset>
  );
}

const Pair = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 gap-3 empty:hidden">{children}</div>
);

export function LoadFields({ form }: FieldsProps) {
  return (
    <Group title="Load">
      <FormField form={form} name="name" />
      <FormField form={form} name="minutes" />
      <FormField form={form} name="arrivals" />
      <FormField form={form} name="uploadsPerSecond" />
      <Pair>
        <FormField form={form} name="swingPercent" />
        <FormField form={form} name="periodHours" />
      </Pair>
      <FormField form={form} name="trace" />
      <Pair>
        <FormField form={form} name="objectKb" />
        <FormField form={form} name="seed" />
      </Pair>
    </Group>
  );
}

export function VaultFields({ form, synced }: FieldsProps & { synced: readonly SyncedDrive[] }) {
  const { live } = form.typed;
  return (
    <Group title="Vault">
      <FormField form={form} name="scheme" />
      <Pair>
        <FormField form={form} name="stashServers" />
        <FormField form={form} name="drivesPerServer" />
      </Pair>
      <FormField
        form={form}
        name="stashDrive"
        options={driveOptions("ssd", Boolean(live?.stashSync), synced)}
      />
      <Pair>
        <FormField form={form} name="stashGbPerDrive" />
        <FormField form={form} name="sharedPercent" />
      </Pair>
      <Pair>
        <FormField form={form} name="stallsPerMinute" />
        <FormField form={form} name="stallMs" />
      </Pair>
      <FormField form={form} name="podDrive" options={driveOptions("hdd", Boolean(live?.podSync), synced)} />
      <Pair>
        <FormField form={form} name="networkUsMin" />
        <FormField form={form} name="networkUsMax" />
      </Pair>
      <FormField form={form} name="processorUs" />
    </Group>
  );
}

export function FaultFields({ form }: FieldsProps) {
  return (
    <Group title="Fault">
      <FormField form={form} name="fault" />
      <FormField form={form} name="faultAtMinute" />
      <FormField form={form} name="faultMinutes" />
      <FormField form={form} name="podCount" />
      <Pair>
        <FormField form={form} name="slowOf" />
        <FormField form={form} name="slowFactor" />
      </Pair>
      {form.typed.fault === "dead stash server" && (
        <p className="text-muted">
          The server does not come back. If fewer drives remain than an acknowledgement needs, uploads can no
          longer use the stash.
        </p>
      )}
    </Group>
  );
}
