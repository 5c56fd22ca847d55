export { FormField, type FormFieldProps, SpecField, type SpecFieldProps } from "../form/form-field.tsx";
export type { FormProblem } from "../form/place-problems.ts";
export { type FieldForm, type FieldFormOptions, useFieldForm } from "../form/use-field-form.ts";
export { FormDialog } from "../overlay/form-dialog.tsx";
