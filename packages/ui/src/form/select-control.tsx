"use client";
import { Select as Primitive } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import { cx } from "../core/cx.ts";
import { popupClass } from "../core/popup.ts";
import { useFieldControl, useFieldLabelId } from "./field.tsx";
import { controlClass } from "./inputs.tsx";
import type { SelectOption, SelectProps } from "./select.tsx";

export function SelectControl(props: SelectProps<string>) {
  const { options, onValueChange, placeholder, className, size = "md", controlRef, ...rest } = props;
  const { "aria-label": label, ...root } = rest;
  const field = useFieldControl();
  const labelId = useFieldLabelId();
  return (
    <Primitive.Root<string>
      {...root}
      id={field.id}
      items={options}
      onValueChange={(value) => {
        if (value !== null) onValueChange?.(value);
      }}
    >
      <Primitive.Trigger
        ref={controlRef}
        aria-label={label}
        aria-labelledby={label ? undefined : labelId}
        aria-describedby={field["aria-describedby"]}
        aria-invalid={field["aria-invalid"]}
        className={cx(
          controlClass,
          "flex items-center justify-between gap-2 text-left",
          size === "sm" ? "h-7 px-2 text-sm!" : "h-9",
          className,
        )}
      >
        <Primitive.Value placeholder={placeholder} className="truncate data-placeholder:text-faint" />
        <Primitive.Icon className="text-faint">
          <ChevronsUpDown size={14} aria-hidden="true" />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
          <Primitive.Popup
            className={cx(popupClass, "max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto")}
          >
            <Primitive.List>
              {options.map((option) => (
                <Option key={option.value} option={option} />
              ))}
            </Primitive.List>
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Option({ option }: { option: SelectOption }) {
  return (
    <Primitive.Item
      value={option.value}
      disabled={option.disabled}
      className="grid cursor-pointer grid-cols-[16px_1fr] items-start gap-x-2 rounded-sm px-2 py-1.5 text-base text-ink outline-none data-disabled:opacity-50 data-highlighted:bg-hover"
    >
      <Primitive.ItemIndicator className="col-start-1 pt-0.5 text-accent-ink">
        <Check size={14} aria-hidden="true" />
      </Primitive.ItemIndicator>
      <span className="col-start-2">
        <Primitive.ItemText>{option.label}</Primitive.ItemText>
        {option.hint && <span className="block text-sm text-faint">{option.hint}</span>}
      </span>
    </Primitive.Item>
  );
}
