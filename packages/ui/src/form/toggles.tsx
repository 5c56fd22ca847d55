"use client";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "../core/cx.ts";

type ToggleProps = Omit<ComponentProps<"input">, "type" | "children"> & {
  label: ReactNode;
  hint?: ReactNode;
  onCheckedChange?: (checked: boolean) => void;
};

// A native checkbox, which supports forms, autofill and forced colours without script.
const checkboxClass = cx(
  "relative mt-0.5 size-4 shrink-0 appearance-none rounded-sm border border-control bg-surface",
  "checked:border-accent checked:bg-accent disabled:opacity-50",
  "checked:after:absolute checked:after:top-px checked:after:left-[4.5px] checked:after:h-2 checked:after:w-[5px]",
  "checked:after:rotate-45 checked:after:border-r-2 checked:after:border-b-2 checked:after:border-on-accent",
);

const switchClass = cx(
  "relative mt-0.5 h-4 w-7 shrink-0 appearance-none rounded-full border border-control bg-sunken transition-colors duration-[120ms]",
  "before:absolute before:top-1/2 before:left-[2px] before:size-2.5 before:-translate-y-1/2 before:rounded-full before:bg-control",
  "before:transition-transform before:duration-[120ms] disabled:opacity-50",
  "checked:border-accent checked:bg-accent checked:before:translate-x-3 checked:before:bg-on-accent",
);

function Toggle(props: ToggleProps & { look: string }) {
  const { label, hint, onCheckedChange, onChange, className, look, ...rest } = props;
  const id = useId();
  return (
    <div className={cx("flex items-start gap-2 text-md", className)}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        onChange={(event) => {
          onChange?.(event);
          onCheckedChange?.(event.target.checked);
        }}
        className={cx("cursor-pointer", look)}
      />
      <span className="min-w-0">
        <label htmlFor={rest.id ?? id} className="cursor-pointer text-ink">
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="block text-sm text-faint">
            {hint}
          </span>
        )}
      </span>
    </div>
  );
}

export function Checkbox(props: ToggleProps) {
  return <Toggle {...props} look={checkboxClass} />;
}

/** A switch that takes effect at once; use a Checkbox for a choice that waits for "Save". */
export function Switch(props: ToggleProps) {
  return <Toggle {...props} role="switch" look={switchClass} />;
}
