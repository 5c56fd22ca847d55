"use client";
import type { Ref } from "react";
import { cx } from "../core/cx.ts";
import { lazyPart } from "../core/lazy.tsx";
import { controlClass } from "./inputs.tsx";

export type SelectOption<Value extends string = string> = {
  value: Value;
  label: string;
  hint?: string;
  disabled?: boolean;
};

export type SelectProps<Value extends string> = {
  options: readonly SelectOption<Value>[];
  value?: Value;
  defaultValue?: Value;
  onValueChange?: (value: Value) => void;
  name?: string;
  disabled?: boolean;
  required?: boolean;
  placeholder?: string;
  size?: "sm" | "md";
  className?: string;
  /** Receives the button that opens the list. */
  controlRef?: Ref<HTMLButtonElement>;
  /** Accessible name outside a Field. */
  "aria-label"?: string;
};

const SelectControl = lazyPart(async () => (await import("./select-control.tsx")).SelectControl);

/**
 * Single choice from a few known values. Inside a Field it takes the field's label; elsewhere give it an aria-label.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { onValueChange, size, className } = props;
  return (
    <SelectControl
      {...props}
      // The cast is safe: the control returns only options that it was given.
      onValueChange={(value) => onValueChange?.(value as Value)}
      // Reserves the place while the control loads, because its code is larger than that of most
      // pages.
      fallback={<span className={cx(controlClass, "block", size === "sm" ? "h-7" : "h-9", className)} />}
    />
  );
}
