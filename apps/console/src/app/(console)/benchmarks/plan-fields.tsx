"use client";
import type { BenchmarkVantage, EndpointRow } from "@stashlight/contracts";
import { Checkbox, Field, TextArea, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useId } from "react";
import { everyChoices, ownVantage, type PlanForm } from "./plan-form.ts";

interface PlanFieldsProps {
  form: PlanForm;
  change: (part: Partial<PlanForm>) => void;
  errorOf: (field: string) => string | undefined;
}

type TextName = "name" | "cron" | "timeZone" | "jitterMinutes" | "budget";

function Text({
  name,
  form,
  change,
  mono,
}: Omit<PlanFieldsProps, "errorOf"> & { name: TextName; mono?: boolean }) {
  return (
    <TextInput
      name={name}
      autoComplete="off"
      mono={mono ?? false}
      value={form[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
}

export function SubjectFields({
  form,
  change,
  errorOf,
  endpoints,
}: PlanFieldsProps & { endpoints: readonly EndpointRow[] }) {
  const errorId = useId();
  const problem = errorOf("endpointIds");
  const choose = (id: string, isChosen: boolean) => {
    const others = form.endpointIds.filter((each) => each !== id);
    change({ endpointIds: isChosen ? [...others, id] : others });
  };
  return (
    <>
      <Field label="Name" error={errorOf("name")}>
        <Text name="name" form={form} change={change} />
      </Field>
      <Field label="What for" optional>
        <TextArea
          name="description"
          rows={2}
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <fieldset
        className="flex min-w-0 flex-col gap-2"
        aria-describedby={problem === undefined ? undefined : errorId}
      >
        <legend className="pb-2 text-md font-semibold text-ink">Endpoints</legend>
        <p className="text-sm text-faint">
          Those of one plan are measured in the same slot, in an order that is drawn, so that they can be
          compared.
        </p>
        <div className="grid gap-2 sm:grid-cols-2">
          {endpoints.map(({ id, name, url, priceList }) => (
            <Checkbox
              key={id}
              label={name}
              hint={`${url}${priceList === null ? "; no price list" : ""}`}
              checked={form.endpointIds.includes(id)}
              onCheckedChange={(isChosen) => choose(id, isChosen)}
            />
          ))}
        </div>
        {problem !== undefined && (
          <p id={errorId} className="text-base text-bad">
            {problem}
          </p>
        )}
      </fieldset>
    </>
  );
}

const byCron = "cron";
const recurrences = [
  ...everyChoices.map(({ cron, label }) => ({ value: cron as string, label })),
  { value: byCron, label: "At times written as cron" },
];
const missedPolicies = [
  { value: "skip", label: "Leave it out" },
  { value: "run-late", label: "Run it late" },
] as const;

/** An own time zone that the browser does not list is taken too; the server knows them all. */
const timeZones = Intl.supportedValuesOf("timeZone");

export function TimeFields({ form, change, errorOf }: PlanFieldsProps) {
  const zonesId = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="pb-2 text-md font-semibold text-ink">When</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2 md:grid-cols-3">
        <Field label="Runs">
          <Select
            options={recurrences}
            value={form.isCron ? byCron : form.cron}
            onValueChange={(value) =>
              change(value === byCron ? { isCron: true } : { isCron: false, cron: value })
            }
          />
        </Field>
        {form.isCron && (
          <Field label="Cron" hint="Minute, hour, day, month, weekday." error={errorOf("cron")}>
            <Text name="cron" form={form} change={change} mono />
          </Field>
        )}
        <Field label="Time zone" error={errorOf("timeZone")}>
          <TextInput
            name="timeZone"
            list={zonesId}
            autoComplete="off"
            value={form.timeZone}
            onChange={(event) => change({ timeZone: event.target.value })}
          />
        </Field>
        <datalist id={zonesId}>
          {timeZones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <Field
          label="Jitter, minutes"
          hint="It begins up to so much later, drawn each time."
          error={errorOf("jitterSeconds")}
        >
          <Text name="jitterMinutes" form={form} change={change} />
        </Field>
        <Field
          label="A missed or interrupted run"
          hint="One that nobody was there for, or that was broken off."
        >
          <Select
            options={missedPolicies}
            value={form.missedPolicy}
            onValueChange={(missedPolicy) => change({ missedPolicy })}
          />
        </Field>
      </div>
    </fieldset>
  );
}

export function LimitFields({
  form,
  change,
  errorOf,
  vantages,
}: PlanFieldsProps & { vantages: readonly BenchmarkVantage[] }) {
  const places = vantages.map(({ nodeId, name, isUsable, reason }) => ({
    value: nodeId ?? ownVantage,
    label: name,
    disabled: !isUsable,
    ...(reason === null ? {} : { hint: reason }),
  }));
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Vantage point" hint="Where it is measured from." error={errorOf("vantageNodeId")}>
        <Select
          options={places}
          value={form.vantageNodeId}
          onValueChange={(vantageNodeId) => change({ vantageNodeId })}
        />
      </Field>
      <Field
        label="Budget a month, $"
        optional
        hint="Over all endpoints; a run that would pass it is left out."
        error={errorOf("budgetPerMonth")}
      >
        <Text name="budget" form={form} change={change} />
      </Field>
    </div>
  );
}
