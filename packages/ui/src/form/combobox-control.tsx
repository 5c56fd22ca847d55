"use client";
import { Combobox as Primitive } from "@base-ui/react/combobox";
import { Check, ChevronsUpDown } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { cx } from "../core/cx.ts";
import { popupClass } from "../core/popup.ts";
import type { ComboboxProps, MultiComboboxProps } from "./combobox.tsx";
import { useFieldControl, useFieldLabelId } from "./field.tsx";
import { controlClass } from "./inputs.tsx";
import type { SelectOption } from "./select.tsx";

/** Maximum number of options in the list; typing finds the others. */
const SHOWN_COUNT_MAX = 200;

const comboboxItems = (options: readonly SelectOption[]) =>
  Primitive.createItems(options, {
    getValue: ({ value }) => value,
    getLabel: ({ label }) => label,
  });

export function ComboboxControl({ value, onValueChange, ...shown }: ComboboxProps) {
  const items = useMemo(() => comboboxItems(shown.options), [shown.options]);
  return (
    <Primitive.Root
      items={items}
      limit={SHOWN_COUNT_MAX}
      disabled={shown.disabled}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onValueChange(next);
      }}
    >
      <Parts {...shown} isEmpty={value === null}>
        {value ?? shown.placeholder}
      </Parts>
    </Primitive.Root>
  );
}

export function MultiComboboxControl({ values, onValuesChange, ...shown }: MultiComboboxProps) {
  const items = useMemo(() => comboboxItems(shown.options), [shown.options]);
  return (
    <Primitive.Root
      multiple
      items={items}
      limit={SHOWN_COUNT_MAX}
      disabled={shown.disabled}
      value={[...values]}
      onValueChange={onValuesChange}
    >
      <Parts {...shown} isEmpty={values.length === 0}>
        {values.length === 0 ? shown.placeholder : values.join(", ")}
      </Parts>
    </Primitive.Root>
  );
}

type Shown = Pick<ComboboxProps, "searchLabel" | "empty" | "mono" | "className">;

function Parts(props: Shown & { isEmpty: boolean; children: ReactNode }) {
  const { searchLabel, empty, mono, className, isEmpty, children } = props;
  const field = useFieldControl();
  const labelId = useFieldLabelId();
  return (
    <>
      <Primitive.Trigger
        id={field.id}
        aria-labelledby={labelId === undefined ? undefined : `${labelId} ${field.id}-value`}
        aria-describedby={field["aria-describedby"]}
        className={cx(
          controlClass,
          "flex h-9 items-center justify-between gap-2 text-left",
          mono && !isEmpty && "font-mono md:text-base",
          className,
        )}
      >
        <span id={`${field.id}-value`} className={cx("truncate", isEmpty && "text-faint")}>
          {children}
        </span>
        <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-faint" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Positioner align="start" sideOffset={4} className="z-50 outline-none">
          <Primitive.Popup
            aria-label={searchLabel}
            className={cx(
              popupClass,
              "flex max-h-[min(26rem,var(--available-height))] w-(--anchor-width) min-w-[min(18rem,var(--available-width))] flex-col",
            )}
          >
            <Primitive.Input
              aria-label={searchLabel}
              placeholder={searchLabel}
              className={cx(controlClass, "h-8 shrink-0")}
            />
            <Primitive.Empty className="px-2 text-base text-muted not-empty:py-2">{empty}</Primitive.Empty>
            <Primitive.List className="mt-1 min-h-0 scroll-py-1 overflow-y-auto outline-none empty:mt-0">
              {(option: SelectOption) => <Option key={option.value} option={option} mono={mono} />}
            </Primitive.List>
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </>
  );
}

function Option({ option, mono }: { option: SelectOption; mono: boolean | undefined }) {
  return (
    <Primitive.Item
      value={option.value}
      disabled={option.disabled}
      className="grid cursor-pointer grid-cols-[16px_1fr] items-start gap-x-2 rounded-sm px-2 py-1.5 text-base text-ink outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
    >
      <Primitive.ItemIndicator className="col-start-1 pt-0.5 text-accent-ink">
        <Check size={14} aria-hidden="true" />
      </Primitive.ItemIndicator>
      <span className="col-start-2 min-w-0">
        <span className={cx("block break-words", mono && "font-mono")}>{option.label}</span>
        {option.hint && <span className="block text-sm text-pretty text-faint">{option.hint}</span>}
      </span>
    </Primitive.Item>
  );
}
