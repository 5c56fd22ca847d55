"use client";
import { Checkbox, Field, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "../../../client/trpc.tsx";
import {
  gaugeNames,
  labelsFor,
  measuresFor,
  measureWords,
  metricNames,
  type RuleForm,
  unitFor,
  withMetric,
} from "./rule-form.ts";

interface FieldsProps {
  form: RuleForm;
  change: (part: Partial<RuleForm>) => void;
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
);

const optionsOf = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: value }));

const toggled = <Value,>(values: readonly Value[], value: Value, isIn: boolean): Value[] =>
  isIn ? [...values, value] : values.filter((each) => each !== value);

type TextName = { [Name in keyof RuleForm]: RuleForm[Name] extends string ? Name : never }[keyof RuleForm];

function Text({ form, change, name, numeric }: FieldsProps & { name: TextName; numeric?: boolean }) {
  return (
    <TextInput
      name={name}
      autoComplete="off"
      value={form[name]}
      inputMode={numeric ? "decimal" : undefined}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
}

interface QueryFieldsProps extends FieldsProps {
  setForm: (form: RuleForm) => void;
  nameError: string | undefined;
}

/** What is asked. */
export function QueryFields({ form, change, setForm, nameError }: QueryFieldsProps) {
  return (
    <>
      <Row>
        <Field label="Name" error={nameError}>
          <Text form={form} change={change} name="name" />
        </Field>
        <Field label="Description" optional>
          <Text form={form} change={change} name="description" />
        </Field>
      </Row>
      <Field label="Metric">
        <Select
          options={optionsOf(metricNames)}
          value={form.metric}
          onValueChange={(metric) => setForm(withMetric(form, metric))}
        />
      </Field>
      <Row>
        <Field label="Only where" optional hint="tier=stash, device=s1|s2">
          <Text form={form} change={change} name="where" />
        </Field>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-base font-medium text-ink">Watch each by itself</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {labelsFor(form.metric).map((label) => (
              <Checkbox
                key={label}
                label={label}
                checked={form.groupBy.includes(label)}
                onCheckedChange={(isIn) => change({ groupBy: toggled(form.groupBy, label, isIn) })}
              />
            ))}
          </div>
        </fieldset>
      </Row>
    </>
  );
}

const comparisons = [
  { value: "above", label: "above" },
  { value: "below", label: "below" },
] as const;

/** When it fires. */
export function ConditionFields({ form, change }: FieldsProps) {
  const measures = measuresFor(form.metric).map((value) => ({ value, label: measureWords[value] }));
  const isAbsence = form.measure === "absence";
  const isFull = form.measure === "time-to-full";
  const isGauge = ["last", "avg", "min", "max"].includes(form.measure) && measures[0]?.value === "last";
  return (
    <>
      <Row>
        <Field label="Fires by the">
          <Select options={measures} value={form.measure} onValueChange={(measure) => change({ measure })} />
        </Field>
        {isAbsence && (
          <Field label="For minutes">
            <Text form={form} change={change} name="minutes" numeric />
          </Field>
        )}
        {(isGauge || isFull) && (
          <Field label={isFull ? "Capacity" : "As a share of"} optional={!isFull}>
            <Select
              options={[{ value: "" as const, label: "itself, no share" }, ...optionsOf(gaugeNames)]}
              value={form.other}
              onValueChange={(other) => change({ other })}
            />
          </Field>
        )}
      </Row>
      {!isAbsence && (
        <Row>
          {!isFull && (
            <Field label="Is">
              <Select
                options={comparisons}
                value={form.comparison}
                onValueChange={(comparison) => change({ comparison })}
              />
            </Field>
          )}
          <Field label={`${isFull ? "Less than" : "Threshold"}, ${unitFor(form)}`}>
            <Text form={form} change={change} name="threshold" numeric />
          </Field>
          <Field label="Over the last, seconds">
            <Text form={form} change={change} name="windowSeconds" numeric />
          </Field>
          {form.measure.startsWith("p") && (
            <Field label="From at least, samples" hint="With fewer there is no value.">
              <Text form={form} change={change} name="sampleCountMin" numeric />
            </Field>
          )}
        </Row>
      )}
      <Row>
        <Field label="Must hold for, seconds">
          <Text form={form} change={change} name="forSeconds" numeric />
        </Field>
        <Field label="Must be over for, seconds">
          <Text form={form} change={change} name="keepFiringSeconds" numeric />
        </Field>
      </Row>
    </>
  );
}

const noDataOptions = [
  { value: "keep", label: "keeps the state as it is" },
  { value: "ok", label: "means that all is well" },
  { value: "alert", label: "fires" },
] as const;

const severities = optionsOf(["info", "warning", "critical"] as const);

/** What it means, and who is told. */
export function NoticeFields({ form, change }: FieldsProps) {
  const trpc = useTRPC();
  const channels = useQuery(trpc.channel.list.queryOptions());
  return (
    <>
      <Row>
        <Field label="Severity">
          <Select
            options={severities}
            value={form.severity}
            onValueChange={(severity) => change({ severity })}
          />
        </Field>
        <Field label="A missing value">
          <Select
            options={noDataOptions}
            value={form.noData}
            onValueChange={(noData) => change({ noData })}
            disabled={form.measure === "absence"}
          />
        </Field>
      </Row>
      <Field
        label="Tell again every, minutes"
        hint="While it fires, unless it is silenced. 0: it is told once, and when it is over."
      >
        <Text form={form} change={change} name="remindMinutes" numeric />
      </Field>
      {channels.data !== undefined && channels.data.length > 0 && (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-base font-medium text-ink">Tell</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {channels.data.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={form.channelIds.includes(id)}
                onCheckedChange={(isIn) => change({ channelIds: toggled(form.channelIds, id, isIn) })}
              />
            ))}
          </div>
          <p className="text-sm text-faint">With none chosen, the default channels are told.</p>
        </fieldset>
      )}
    </>
  );
}
