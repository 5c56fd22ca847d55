"use client";
import type { Ref } from "react";
import { Field } from "./field.tsx";
import type { FieldSpec } from "./field-spec.ts";
import { PasswordInput, TextArea, TextInput } from "./inputs.tsx";
import { Select } from "./select.tsx";
import { Checkbox } from "./toggles.tsx";

/** Overrides of the table's row that depend on other fields. */
export interface FieldOverrides
  extends Partial<Pick<FieldSpec, "label" | "unit" | "help" | "optional" | "options">> {
  readonly disabled?: boolean;
  readonly className?: string;
  /** Id of a datalist with suggestions. */
  readonly list?: string;
}

export interface FieldViewProps extends FieldOverrides {
  readonly name: string;
  readonly spec: FieldSpec;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly error?: string;
  /** Receives the control, so that the form can focus it. */
  readonly controlRef?: Ref<HTMLInputElement & HTMLTextAreaElement & HTMLButtonElement>;
}

function fieldLabel({ label, unit }: Pick<FieldSpec, "label" | "unit">): string {
  return unit === undefined || unit === "" ? label : `${label}, ${unit}`;
}

/** Draws one row of a form's table with its typed content. */
export function FieldView(props: FieldViewProps) {
  const { name, value, onChange, error, controlRef, disabled, className } = props;
  const { spec, label = spec.label, unit = spec.unit, help = spec.help, optional = spec.optional } = props;
  if (spec.kind === "flag") {
    return (
      <Checkbox
        ref={controlRef}
        name={name}
        label={label}
        hint={help}
        checked={value === true}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    );
  }
  return (
    <Field
      label={fieldLabel({ label, unit })}
      hint={help}
      error={error}
      optional={optional}
      className={className}
    >
      <FieldControl {...props} />
    </Field>
  );
}

function FieldControl({ spec, name, value, onChange, controlRef, disabled, options, list }: FieldViewProps) {
  const { mono, rows, ...look } = spec.look ?? {};
  if (spec.kind === "choice") {
    return (
      <Select
        controlRef={controlRef}
        options={options ?? spec.options ?? []}
        value={String(value)}
        disabled={disabled}
        onValueChange={onChange}
      />
    );
  }
  const shared = { ref: controlRef, name, value: String(value), disabled };
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  if (spec.kind === "area") {
    const { placeholder, spellCheck } = look;
    return (
      <TextArea
        {...shared}
        rows={rows}
        mono={mono}
        placeholder={placeholder}
        spellCheck={spellCheck}
        onChange={change}
      />
    );
  }
  if (spec.kind === "secret") return <PasswordInput {...shared} autoComplete="off" onChange={change} />;
  return <TextInput autoComplete="off" {...look} {...shared} list={list} mono={mono} onChange={change} />;
}
