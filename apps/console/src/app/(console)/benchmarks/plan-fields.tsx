"use client";
import type { EndpointRow } from "@stashlight/contracts/benchmark/endpoint";
import type { BenchmarkVantage } from "@stashlight/contracts/benchmark/plan";
import { type FieldForm, FormField } from "@stashlight/ui/field-form";
import { Checklist } from "@stashlight/ui/fields";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useId } from "react";
import { everyChoices, ownVantage, type planFields } from "./plan-form.ts";

interface PlanFieldsProps {
  form: FieldForm<typeof planFields.specs>;
}

export function SubjectFields({ form, endpoints }: PlanFieldsProps & { endpoints: readonly EndpointRow[] }) {
  return (
    <>
      <FormField form={form} name="name" />
      <FormField form={form} name="description" />
      <Checklist
        legend="Endpoints"
        help="The endpoints of a plan are measured in the same slot, in random order, so that they can be compared."
        options={endpoints.map(({ id, name, url, priceList }) => ({
          value: id,
          label: name,
          hint: `${url}${priceList === null ? "; no price list" : ""}`,
        }))}
        chosen={form.typed.endpointIds}
        onChange={(endpointIds) => form.change({ endpointIds })}
        error={form.errorOf("endpointIds")}
        layout="grid"
      />
    </>
  );
}

const byCron = "cron";
const recurrences = [
  ...everyChoices.map(({ cron, label }) => ({ value: cron as string, label })),
  { value: byCron, label: "At times given as cron" },
];
/** A time zone that the browser does not list is accepted too; the server knows all of them. */
const timeZones = Intl.supportedValuesOf("timeZone");

export function TimeFields({ form }: PlanFieldsProps) {
  const zonesId = useId();
  const { typed, change } = form;
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="pb-2 text-md font-semibold text-ink">Schedule</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2 md:grid-cols-3">
        <Field label="Runs">
          <Select
            options={recurrences}
            value={typed.isCron ? byCron : typed.cron}
            onValueChange={(value) =>
              change(value === byCron ? { isCron: true } : { isCron: false, cron: value })
            }
          />
        </Field>
        <FormField form={form} name="cron" />
        <FormField form={form} name="timeZone" list={zonesId} />
        <datalist id={zonesId}>
          {timeZones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <FormField form={form} name="jitterMinutes" />
        <FormField form={form} name="missedPolicy" />
      </div>
    </fieldset>
  );
}

export function LimitFields({ form, vantages }: PlanFieldsProps & { vantages: readonly BenchmarkVantage[] }) {
  const places = vantages.map(({ nodeId, name, isUsable, reason }) => ({
    value: nodeId ?? ownVantage,
    label: name,
    disabled: !isUsable,
    ...(reason === null ? {} : { hint: reason }),
  }));
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 md:grid-cols-3">
      <FormField form={form} name="vantageNodeId" options={places} />
      <FormField form={form} name="budget" />
      <FormField form={form} name="costPerSlotMax" />
    </div>
  );
}
