"use client";
import { type ReactNode, useId } from "react";
import type { FieldOption } from "./field-spec.ts";
import { Checkbox } from "./toggles.tsx";

export interface ChecklistProps<Value extends string> {
  readonly legend: string;
  readonly options: readonly FieldOption<Value>[];
  readonly chosen: readonly Value[];
  /** Receives the chosen values in the order of the options. */
  readonly onChange: (chosen: Value[]) => void;
  readonly help?: ReactNode;
  readonly error?: string;
  /** Layout of the options: inline, stacked, or in two columns. */
  readonly layout?: "row" | "column" | "grid";
}

const layoutClass = {
  row: "flex flex-wrap gap-x-4 gap-y-1",
  column: "flex flex-col gap-1",
  grid: "grid gap-2 sm:grid-cols-2",
};

/** Multiple choice from a few known values. */
export function Checklist<Value extends string>(props: ChecklistProps<Value>) {
  const { legend, options, chosen, onChange, help, error, layout = "row" } = props;
  const errorId = useId();
  const toggle = (value: Value, isChosen: boolean) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((each) => (each === value ? isChosen : chosen.includes(each))),
    );
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1"
      aria-describedby={error === undefined ? undefined : errorId}
      data-invalid={error === undefined ? undefined : true}
    >
      <legend className="mb-1 text-base font-medium text-ink">{legend}</legend>
      {help && <p className="mb-1 text-sm text-faint">{help}</p>}
      <div className={layoutClass[layout]}>
        {options.map(({ value, label, hint }) => (
          <Checkbox
            key={value}
            label={label}
            hint={hint}
            checked={chosen.includes(value)}
            onCheckedChange={(isChosen) => toggle(value, isChosen)}
          />
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} className="text-base text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
