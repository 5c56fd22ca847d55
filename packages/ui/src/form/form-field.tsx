"use client";
import { useController } from "react-hook-form";
import type { FieldSpec, FieldSpecs } from "./field-spec.ts";
import { type FieldOverrides, FieldView } from "./field-view.tsx";
import type { FieldForm } from "./use-field-form.ts";

export interface FormFieldProps<Specs extends FieldSpecs, Name extends keyof Specs & string>
  extends FieldOverrides {
  readonly form: FieldForm<Specs>;
  readonly name: Name;
  /** Replaces this field's change handler. */
  readonly onChange?: (value: Specs[Name]["initial"]) => void;
}

/** A field of a form, shown under its condition. */
export function FormField<Specs extends FieldSpecs, Name extends keyof Specs & string>(
  props: FormFieldProps<Specs, Name>,
) {
  const { form, name } = props;
  const spec = form.table.specs[name];
  return spec !== undefined && form.table.asks(name, form.typed) ? (
    <SpecField {...props} spec={spec} />
  ) : null;
}

export interface SpecFieldProps extends FieldOverrides {
  readonly form: Pick<FieldForm<FieldSpecs>, "control" | "errorOf">;
  /** Path of the typed value within the form: "parameters.sizes". */
  readonly name: string;
  readonly spec: FieldSpec;
  readonly onChange?: (value: never) => void;
}

/** A field outside the form's table, because it depends on other typed values. */
export function SpecField({ form, name, onChange, ...shown }: SpecFieldProps) {
  const { field } = useController({ control: form.control, name });
  return (
    <FieldView
      {...shown}
      name={name}
      value={field.value}
      onChange={(value) => (onChange ?? field.onChange)(value as never)}
      controlRef={field.ref}
      error={form.errorOf(name)}
    />
  );
}
