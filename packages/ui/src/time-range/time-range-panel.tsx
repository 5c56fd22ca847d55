"use client";
import { Popover } from "@base-ui/react/popover";
import { type FormEvent, useState } from "react";
import { serverNow } from "../core/clock.ts";
import { cx } from "../core/cx.ts";
import { formatDateTime } from "../core/format.ts";
import { popupClass } from "../core/popup.ts";
import { Button } from "../form/button.tsx";
import { Field } from "../form/field.tsx";
import { TextInput } from "../form/inputs.tsx";
import { exceptPressOn } from "../overlay/press.ts";
import {
  fromFieldValue,
  quickRanges,
  type ResolvedRange,
  type ResolveTimeRange,
  type TimeRange,
  toFieldValue,
} from "./ranges.ts";
import type { TimeRangePanelProps } from "./time-range-picker.tsx";

export function TimeRangePanel({ open, onOpenChange, anchor, value, choose, resolve }: TimeRangePanelProps) {
  return (
    <Popover.Root open={open} onOpenChange={exceptPressOn(anchor, onOpenChange)}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            finalFocus={() => anchor}
            className={cx(popupClass, "flex w-[520px] max-w-[calc(100vw-2rem)] p-0 max-sm:flex-col")}
          >
            <Popover.Title className="sr-only">Time range</Popover.Title>
            <QuickRanges value={value} choose={choose} />
            <AbsoluteForm value={value} choose={choose} resolve={resolve} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function QuickRanges({ value, choose }: { value: TimeRange; choose: (range: TimeRange) => void }) {
  return (
    <ul
      aria-label="Quick ranges"
      className="grid shrink-0 content-start gap-px border-line p-1.5 max-sm:grid-cols-2 max-sm:border-b sm:w-40 sm:border-r"
    >
      {quickRanges.map(({ label, from }) => {
        const current = value.from === from && value.to === "now";
        return (
          <li key={from}>
            <button
              type="button"
              aria-current={current || undefined}
              onClick={() => choose({ from, to: "now" })}
              className={cx(
                "h-8 w-full rounded-sm px-2 text-left",
                current ? "bg-accent-soft font-medium text-accent-ink" : "text-ink hover:bg-hover",
              )}
            >
              {label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

type FormProps = { value: TimeRange; choose: (range: TimeRange) => void; resolve: ResolveTimeRange };

function AbsoluteForm({ value, choose, resolve }: FormProps) {
  const [draft, setDraft] = useState(value);
  const [isUtc, setIsUtc] = useState(false);
  const [openedAtMs] = useState(serverNow);
  const [error, setError] = useState<string>();
  const resolved = resolve(draft.from.trim(), draft.to.trim(), openedAtMs);
  const range = "error" in resolved ? null : resolved;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if ("error" in resolved) setError(resolved.error);
    else choose({ from: draft.from.trim(), to: draft.to.trim() });
  };
  const change = (end: keyof TimeRange) => (text: string) => {
    setError(undefined);
    setDraft({ ...draft, [end]: text });
  };
  return (
    <form onSubmit={submit} noValidate className="flex min-w-0 flex-1 flex-col gap-3 p-3">
      <EndField
        label="From"
        text={draft.from}
        timeMs={range?.fromMs}
        isUtc={isUtc}
        onText={change("from")}
        error={error}
      />
      <EndField label="To" text={draft.to} timeMs={range?.toMs} isUtc={isUtc} onText={change("to")} />
      <Preview range={range} isUtc={isUtc} />
      <div className="mt-auto flex items-center justify-between gap-2">
        <Button
          variant="quiet"
          size="sm"
          aria-pressed={isUtc}
          onClick={() => setIsUtc(!isUtc)}
          className="-ml-2"
        >
          {isUtc ? "Times in UTC" : "Times in your zone"}
        </Button>
        <Button type="submit" variant="primary" size="sm">
          Apply
        </Button>
      </div>
    </form>
  );
}

type EndFieldProps = {
  label: string;
  text: string;
  timeMs: number | undefined;
  isUtc: boolean;
  onText: (text: string) => void;
  error?: string;
};

function EndField({ label, text, timeMs, isUtc, onText, error }: EndFieldProps) {
  const zone = isUtc ? "UTC" : undefined;
  return (
    <Field label={label} error={error}>
      <div className="flex gap-2">
        <TextInput
          mono
          value={text}
          spellCheck={false}
          autoComplete="off"
          placeholder="now-6h"
          onChange={(event) => onText(event.target.value)}
          className="h-8!"
        />
        <input
          type="datetime-local"
          aria-label={`${label}, date and time${isUtc ? " in UTC" : ""}`}
          value={timeMs === undefined ? "" : toFieldValue(timeMs, zone)}
          onChange={(event) => {
            const instant = fromFieldValue(event.target.value, isUtc);
            if (instant) onText(instant);
          }}
          className="h-8 w-8 shrink-0 rounded-md border border-control/80 bg-surface pl-1.5 text-ink [color-scheme:inherit] [&::-webkit-datetime-edit]:hidden"
        />
      </div>
    </Field>
  );
}

function Preview({ range, isUtc }: { range: ResolvedRange | null; isUtc: boolean }) {
  const zone = isUtc ? "UTC" : undefined;
  return (
    <p aria-live="polite" className="min-h-4 text-sm text-faint tabular-nums">
      {range && `${formatDateTime(range.fromMs, zone)} to ${formatDateTime(range.toMs, zone)}`}
    </p>
  );
}
