"use client";
import { cx } from "../core/cx.ts";
import { lazyPart } from "../core/lazy.tsx";
import { controlClass } from "./inputs.tsx";
import type { SelectOption } from "./select.tsx";

interface SharedProps {
  readonly options: readonly SelectOption[];
  /** Shown while nothing is chosen. */
  readonly placeholder: string;
  /** Placeholder of the filter box: "Search metrics". */
  readonly searchLabel: string;
  /** Message for a filter without matches. */
  readonly empty: string;
  readonly mono?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
}

export type ComboboxProps = SharedProps & {
  readonly value: string | null;
  readonly onValueChange: (value: string) => void;
};

export type MultiComboboxProps = SharedProps & {
  readonly values: readonly string[];
  /** Receives the chosen values in the order of choosing. */
  readonly onValuesChange: (values: string[]) => void;
};

const Control = lazyPart(async () => (await import("./combobox-control.tsx")).ComboboxControl);
const MultiControl = lazyPart(async () => (await import("./combobox-control.tsx")).MultiComboboxControl);

const Place = ({ className }: { className?: string | undefined }) => (
  <span className={cx(controlClass, "block h-9", className)} />
);

/** Single choice from many known values, filtered by typing. Used inside a Field. */
export function Combobox(props: ComboboxProps) {
  return <Control {...props} fallback={<Place className={props.className} />} />;
}

/** Multiple choice from many known values. */
export function MultiCombobox(props: MultiComboboxProps) {
  return <MultiControl {...props} fallback={<Place className={props.className} />} />;
}
