"use client";
import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useId } from "react";
import { cx } from "../core/cx.ts";

type FieldContext = { controlId: string; labelId: string; describedBy: string | undefined; invalid: boolean };

const Context = createContext<FieldContext | null>(null);

export type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  /** One sentence: the problem and the remedy. Marks the control invalid. */
  error?: ReactNode;
  /** Shows "optional" beside the label; all other fields are required. */
  optional?: boolean;
  className?: string;
  children: ReactNode;
};

/** A label, control, hint and error, linked by ids for screen readers. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter(Boolean).join(" ");
  const context = {
    controlId: `${id}-control`,
    labelId: `${id}-label`,
    describedBy: describedBy || undefined,
    invalid: Boolean(error),
  };
  return (
    <Context value={context}>
      <div className={cx("flex min-w-0 flex-col gap-1 text-md", className)}>
        <label id={context.labelId} htmlFor={context.controlId} className="text-base font-medium text-ink">
          {label}
          {optional && <span className="ml-1.5 font-normal text-faint">optional</span>}
        </label>
        {children}
        <div aria-live="polite" className="contents">
          {error && (
            <p id={`${id}-error`} className="flex items-start gap-1.5 pt-0.5 text-base text-bad">
              <CircleAlert size={14} aria-hidden="true" className="mt-[3px] shrink-0" />
              <span>{error}</span>
            </p>
          )}
        </div>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-faint">
            {hint}
          </p>
        )}
      </div>
    </Context>
  );
}

export type FieldControl = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

/** Attributes that link a control to the surrounding Field; none outside one. */
export function useFieldControl(): Partial<FieldControl> {
  const field = useContext(Context);
  if (!field) return {};
  return {
    id: field.controlId,
    "aria-describedby": field.describedBy,
    "aria-invalid": field.invalid || undefined,
  };
}

export function useFieldLabelId(): string | undefined {
  return useContext(Context)?.labelId;
}
