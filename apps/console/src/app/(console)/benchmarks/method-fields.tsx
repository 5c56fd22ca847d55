"use client";
import type { BenchmarkMethodRow, BenchmarkParameter } from "@stashlight/contracts/benchmark";
import { type FieldForm, SpecField } from "@stashlight/ui/field-form";
import { Checklist } from "@stashlight/ui/fields";
import { Field } from "@stashlight/ui/form";
import { Select } from "@stashlight/ui/select";
import { specOfParameter } from "./parameter.ts";
import { matchingPreset, parameterField, type planFields, withMethod, withPreset } from "./plan-form.ts";

interface MethodFieldsProps {
  form: FieldForm<typeof planFields.specs>;
  methods: readonly BenchmarkMethodRow[];
  method: BenchmarkMethodRow;
}

const changed = { value: "", label: "None: changed by hand" };

/** The method and its presets. */
export function MethodFields({ form, methods, method }: MethodFieldsProps) {
  const { typed, change } = form;
  const choose = (name: string) => {
    const next = methods.find((each) => each.name === name);
    if (next !== undefined) change(withMethod(typed, next));
  };
  const preset = matchingPreset(typed, method);
  const presets = method.presets.map(({ name, title }) => ({ value: name, label: title }));
  return (
    <>
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
          onValueChange={(name) => change(withPreset(typed, method, name))}
        />
      </Field>
    </>
  );
}

/** Parameters of the method; a preset fills all of them. */
export function ParameterFields({ form, method }: Omit<MethodFieldsProps, "methods">) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 md:grid-cols-3">
      {method.parameters.map((parameter) => (
        <ParameterField key={parameter.name} parameter={parameter} form={form} />
      ))}
    </div>
  );
}

function ParameterField({
  parameter,
  form,
}: Pick<MethodFieldsProps, "form"> & { parameter: BenchmarkParameter }) {
  const name = parameterField(parameter.name);
  if (parameter.kind !== "choices") {
    return <SpecField form={form} name={name} spec={specOfParameter(parameter)} />;
  }
  const { typed } = form.typed;
  const chosen = typed[parameter.name];
  return (
    <Checklist
      legend={parameter.label}
      options={parameter.options.map((value) => ({ value, label: value }))}
      chosen={Array.isArray(chosen) ? chosen : []}
      onChange={(value) => form.change({ typed: { ...typed, [parameter.name]: value } })}
      error={form.errorOf(name)}
      layout="column"
    />
  );
}
