"use client";
import { Fragment, type ReactNode } from "react";
import {
  type ByteSystem,
  formatAge,
  formatBytes,
  formatCount,
  formatDateTime,
  MISSING,
} from "../core/format.ts";
import { useIsClient, useNow } from "../core/use-now.ts";

export type TimeProps = {
  /** An ISO string, a Date or epoch milliseconds; null if it has not happened. */
  value: string | number | Date | null | undefined;
  /**
   * Form to show; the other one appears on hover. `age` is relative and never in the future: a window may end after now,
   * and another clock may be ahead. `clock` leaves out the date within 18 hours of now.
   */
  show?: "absolute" | "relative" | "age" | "clock";
  /** Reference time for the age in epoch milliseconds; defaults to the shared clock. */
  now?: number;
  /** Replaces the dash where there is no value: "never". */
  missing?: string;
  className?: string;
};

const CLOCK_MS_MAX = 18 * 3_600_000;
/** Position of hours and minutes in "2026-11-25 08:12:30". */
const CLOCK_AT = 11;
const CLOCK_LENGTH = 5;

/** An instant in the reader's zone. The server does not know the zone, so it writes UTC of the same width. */
export function Time({ value, show = "absolute", now, missing = MISSING, className }: TimeProps) {
  const isClient = useIsClient();
  const clockMs = useNow((show === "relative" || show === "age") && now === undefined ? 1000 : 60_000);
  const timeMs = value == null ? Number.NaN : new Date(value).getTime();
  if (Number.isNaN(timeMs)) return <span className={className ?? "text-faint"}>{missing}</span>;
  const absolute = formatDateTime(timeMs, isClient ? undefined : "UTC");
  const nowMs = now ?? clockMs;
  const ageMs = nowMs === null ? null : nowMs - timeMs;
  const age = ageMs === null ? absolute : formatAge(show === "age" ? Math.max(0, ageMs) : ageMs);
  const isNear = nowMs !== null && Math.abs(nowMs - timeMs) < CLOCK_MS_MAX;
  const clock = isNear ? absolute.slice(CLOCK_AT, CLOCK_AT + CLOCK_LENGTH) : absolute;
  const shown = { relative: age, age, absolute, clock }[show];
  const hidden = show === "absolute" ? age : absolute;
  return (
    <time
      dateTime={new Date(timeMs).toISOString()}
      title={hidden}
      className={className ?? "whitespace-nowrap"}
    >
      {narrowHyphens(shown)}
    </time>
  );
}

/** Narrower hyphens: tabular figures make a hyphen as wide as a digit, which pulls a date apart. */
function narrowHyphens(text: string): ReactNode {
  const [first, ...rest] = text.split("-");
  return [
    first,
    ...rest.map((part, index) => (
      <Fragment key={index}>
        <span className="normal-nums">-</span>
        {part}
      </Fragment>
    )),
  ];
}

/** A size, with its exact byte count on hover. */
export function Bytes(props: { value: number | null | undefined; system?: ByteSystem; className?: string }) {
  const { value, system, className } = props;
  if (value == null) return <span className={className ?? "text-faint"}>{MISSING}</span>;
  return (
    <span title={`${formatCount(value)} bytes`} className={className ?? "whitespace-nowrap"}>
      {formatBytes(value, system)}
    </span>
  );
}
