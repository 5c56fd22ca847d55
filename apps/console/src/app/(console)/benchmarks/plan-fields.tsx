"use client";
import type { BenchmarkVantage } from "@stashlight/contracts/benchmark";
import type { DriveRow } from "@stashlight/contracts/disk";
import type { EndpointRow } from "@stashlight/contracts/endpoint";
import { type FieldForm, FormField } from "@stashlight/ui/field-form";
import { Checklist } from "@stashlight/ui/fields";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useId } from "react";
import { ownVantage } from "./own-vantage.ts";
import { everyChoices, type planFields } from "./plan-form.ts";

interface PlanFieldsProps {
  form: FieldForm<typeof planFields.specs>;
}

interface SubjectFieldsProps extends PlanFieldsProps {
  endpoints: readonly EndpointRow[];
  drives: readonly DriveRow[];
}

export function SubjectFields({ form, endpoints, drives }: SubjectFieldsProps) {
  return (
    <>
      <FormField form={form} name="name" />
      <FormField form={form} name="description" />
      {form.typed.isOfDrives ? (
        <DriveChoice form={form} drives={drives} />
      ) : (
        <EndpointChoice form={form} endpoints={endpoints} />
      )}
    </>
  );
}

/**
 * Lists the drives of one probe, because a plan has one vantage point and each drive is measured by its local probe.
 */
function DriveChoice({ form, drives }: Omit<SubjectFieldsProps, "endpoints">) {
  const { endpointIds } = form.typed;
  const chosen = drives.find(({ id }) => id === endpointIds[0]);
  const offered = drives.filter(
    ({ id, isOffered, probe }) =>
      endpointIds.includes(id) ||
      (isOffered && (chosen === undefined || probe?.nodeId === chosen.probe?.nodeId)),
  );
  return (
    <Checklist
      legend="Drives"
      help={
        offered.length === 0
          ? "No probe offers a drive. Start one with --drives and a file that has a “benchmark” for each drive; docs/benchmarking.md shows how."
          : "Drives of one probe, measured one after the other in random order. Drives of another machine need a schedule of their own."
      }
      options={offered.map(({ id, name, probe, labels }) => ({
        value: id,
        label: name,
        hint: [`probe ${probe?.name ?? "gone"}`, labels.provider, labels.volumeType]
          .filter(Boolean)
          .join(", "),
      }))}
      chosen={endpointIds}
      onChange={(next) => {
        const first = drives.find(({ id }) => id === next[0]);
        form.change({ endpointIds: next, vantageNodeId: first?.probe?.nodeId ?? ownVantage });
      }}
      error={form.errorOf("endpointIds")}
      layout="grid"
    />
  );
}

function EndpointChoice({ form, endpoints }: Omit<SubjectFieldsProps, "drives">) {
  return (
    <Checklist
      legend="Endpoints"
      help="All endpoints of a schedule are measured in the same slot, in varying order, so that they can be compared."
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
  );
}

const byCron = "cron";
const recurrences = [
  ...everyChoices.map(({ cron, label }) => ({ value: cron as string, label })),
  { value: byCron, label: "Custom cron expression" },
];
/** Suggestions only: the field takes any time zone that the server knows. */
const timeZones = Intl.supportedValuesOf("timeZone");

export function TimeFields({ form }: PlanFieldsProps) {
  const zonesId = useId();
  const { typed, change } = form;
  return (
    <>
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
    </>
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
      <FormField form={form} name="jitterMinutes" />
      <FormField form={form} name="missedPolicy" />
      <FormField form={form} name="vantageNodeId" options={places} />
      <FormField form={form} name="budget" />
      <FormField form={form} name="costPerSlotMax" />
      <FormField form={form} name="writtenGbPerMonth" />
    </div>
  );
}
