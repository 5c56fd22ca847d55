"use client";
import type { BenchmarkMethodRow, BenchmarkParameter } from "@stashlight/contracts";
import { Checkbox, Field, TextInput } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { labelOf, type TypedValue, type TypedValues } from "./parameter.ts";
import { type PlanForm, presetOf, withMethod, withPreset } from "./plan-form.ts";

interface MethodFieldsProps {
  form: PlanForm;
  setForm: (form: PlanForm) => void;
  methods: readonly BenchmarkMethodRow[];
  method: BenchmarkMethodRow;
  errorOf: (field: string) => string | undefined;
}

const changed = { value: "", label: "As below, changed by hand" };

/** The method, its presets and each of its parameters. */
export function MethodFields({ form, setForm, methods, method, errorOf }: MethodFieldsProps) {
  const choose = (name: string) => {
    const next = methods.find((each) => each.name === name);
    if (next !== undefined) setForm(withMethod(form, next));
  };
  const preset = presetOf(form, method);
  const presets = method.presets.map(({ name, title }) => ({ value: name, label: title }));
  const change = (part: TypedValues) => setForm({ ...form, typed: { ...form.typed, ...part } });
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="pb-2 text-md font-semibold text-ink">How it measures</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Method" hint={method.description}>
          <Select
            options={methods.map(({ name, title }) => ({ value: name, label: title }))}
            value={method.name}
            onValueChange={choose}
          />
        </Field>
        <Field label="Preset">
          <Select
            options={preset === null ? [changed, ...presets] : presets}
            value={preset ?? changed.value}
            onValueChange={(name) => setForm(withPreset(form, method, name))}
          />
        </Field>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2 md:grid-cols-3">
        {method.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            typed={form.typed[parameter.name] ?? ""}
            onChange={(value) => change({ [parameter.name]: value })}
            error={errorOf(parameter.name)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ParameterFieldProps {
  parameter: BenchmarkParameter;
  typed: TypedValue;
  onChange: (value: TypedValue) => void;
  error: string | undefined;
}

function ParameterField({ parameter, typed, onChange, error }: ParameterFieldProps) {
  const { name, hint } = parameter;
  if (parameter.kind === "flag") {
    return (
      <Checkbox label={parameter.label} hint={hint} checked={typed === true} onCheckedChange={onChange} />
    );
  }
  if (parameter.kind === "choices") {
    return <ChoicesField parameter={parameter} typed={typed} onChange={onChange} error={error} />;
  }
  return (
    <Field label={labelOf(parameter)} hint={hint} error={error}>
      {parameter.kind === "choice" ? (
        <Select
          options={parameter.options.map((value) => ({ value, label: value.replaceAll("-", " ") }))}
          value={String(typed)}
          onValueChange={onChange}
        />
      ) : (
        <TextInput
          name={name}
          autoComplete="off"
          value={String(typed)}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function ChoicesField({
  parameter,
  typed,
  onChange,
  error,
}: Omit<ParameterFieldProps, "parameter"> & {
  parameter: Extract<BenchmarkParameter, { kind: "choices" }>;
}) {
  const chosen = Array.isArray(typed) ? typed : [];
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="pb-1 text-base font-medium text-ink">{parameter.label}</legend>
      {parameter.options.map((option) => (
        <Checkbox
          key={option}
          label={option}
          checked={chosen.includes(option)}
          onCheckedChange={(isChosen) =>
            onChange(parameter.options.filter((each) => (each === option ? isChosen : chosen.includes(each))))
          }
        />
      ))}
      {error !== undefined && <p className="text-base text-bad">{error}</p>}
    </fieldset>
  );
}
