"use client";
import { type ReactNode, useId } from "react";
import { Button } from "../form/button.tsx";
import { FormError } from "../form/form-error.tsx";
import type { FieldForm } from "../form/use-field-form.ts";
import { Dialog, type DialogProps } from "./dialog.tsx";

interface FormDialogProps extends Omit<DialogProps, "footer"> {
  readonly form: Pick<FieldForm<never>, "formError" | "isPending" | "onSubmit">;
  /** Verb and object: "Create token". */
  readonly action: string;
  readonly children: ReactNode;
}

/** A form in a dialog: fields, form-level error, and submit and cancel buttons. */
export function FormDialog({ form, action, children, ...dialog }: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={() => dialog.onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={id} variant="primary" pending={form.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        {children}
        <FormError>{form.formError}</FormError>
      </form>
    </Dialog>
  );
}
