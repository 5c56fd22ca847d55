export {
  Button,
  type ButtonProps,
  type ButtonSize,
  type ButtonVariant,
  buttonClass,
  LinkButton,
} from "./button.tsx";
export { Field, type FieldProps } from "./field.tsx";
export { FormError } from "./form-error.tsx";
export { Advanced, FormSection } from "./form-section.tsx";
export { CodeInput, PasswordInput, TextArea, TextInput } from "./inputs.tsx";
export { Checkbox, Switch } from "./toggles.tsx";
