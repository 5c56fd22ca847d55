"use client";
import { CalendarClock, ChevronDown } from "lucide-react";
import { useState } from "react";
import { cx } from "../core/cx.ts";
import { lazyWhenOpen } from "../core/lazy.tsx";
import { useIsClient } from "../core/use-now.ts";
import { buttonClass } from "../form/button.tsx";
import { describeRange, type ResolveTimeRange, type TimeRange } from "./ranges.ts";

export type { ResolvedRange, ResolveTimeRange, TimeRange } from "./ranges.ts";

export type TimeRangePickerProps = {
  value: TimeRange;
  onChange: (range: TimeRange) => void;
  resolve: ResolveTimeRange;
  className?: string;
};

export type TimeRangePanelProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
  value: TimeRange;
  choose: (range: TimeRange) => void;
  resolve: ResolveTimeRange;
};

const loadPanel = async () => (await import("./time-range-panel.tsx")).TimeRangePanel;
const TimeRangePanel = lazyWhenOpen<TimeRangePanelProps>(loadPanel);

/** Time range of the page: quick ranges by click, or typed ("now-6h") or picked, in the reader's zone or UTC. */
export function TimeRangePicker({ value, onChange, resolve, className }: TimeRangePickerProps) {
  const [open, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isClient = useIsClient();
  const text = describeRange(value, isClient ? undefined : "UTC");
  const choose = (range: TimeRange) => {
    setOpen(false);
    onChange(range);
  };
  return (
    <>
      <button
        type="button"
        ref={setAnchor}
        aria-label={`Time range: ${text}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={loadPanel}
        onFocus={loadPanel}
        onClick={() => setOpen(!open)}
        className={cx(buttonClass("secondary"), className)}
      >
        <CalendarClock aria-hidden="true" className="text-faint" />
        <span>{text}</span>
        <ChevronDown aria-hidden="true" className="size-3.5! text-faint" />
      </button>
      <TimeRangePanel
        open={open}
        onOpenChange={setOpen}
        anchor={anchor}
        value={value}
        choose={choose}
        resolve={resolve}
      />
    </>
  );
}
