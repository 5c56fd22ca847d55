"use client";
import { useController } from "react-hook-form";
import type { FieldSpec, FieldSpecs } from "./field-spec.ts";
import { type FieldOverrides, FieldView } from "./field-view.tsx";
import type { FieldForm } from "./use-field-form.ts";

export interface FormFieldProps<Specs extends FieldSpecs, Name extends keyof Specs & string>
  extends FieldOverrides {
  readonly form: FieldForm<Specs>;
  readonly name: Name;
  /** Replaces the change of this field alone. */
  readonly onChange?: (value: Specs[Name]["initial"]) => void;
}

/** A field of a form, while the form asks for it. */
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
  /** The path of what is typed within what the form holds: "parameters.sizes". */
  readonly name: string;
  readonly spec: FieldSpec;
  readonly onChange?: (value: never) => void;
}

/** A field whose row is not in the form's table, because it depends on what is typed elsewhere. */
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
