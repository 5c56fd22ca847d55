export { Checklist, type ChecklistProps } from "./checklist.tsx";
export * from "./field-spec.ts";
export { type FieldOverrides, FieldView, type FieldViewProps } from "./field-view.tsx";
