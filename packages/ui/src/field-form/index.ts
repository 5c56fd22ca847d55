export { FormField, type FormFieldProps, SpecField, type SpecFieldProps } from "../form/form-field.tsx";
export {
  type FieldForm,
  type FieldFormOptions,
  type FormProblem,
  useFieldForm,
} from "../form/use-field-form.ts";
export { FormDialog } from "../overlay/form-dialog.tsx";
