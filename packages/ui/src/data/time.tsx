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
  /** An ISO string, a Date or epoch milliseconds; null where it has not happened. */
  value: string | number | Date | null | undefined;
  /** The form that is shown; the other comes on hover. */
  show?: "absolute" | "relative";
  /** Epoch milliseconds to count the age from; the shared clock without it. */
  now?: number;
  /** Read instead of a dash where there is no value: "never". */
  missing?: string;
  className?: string;
};

/** An instant in the reader's own zone. The server, which does not know that zone, writes UTC of the same width. */
export function Time({ value, show = "absolute", now, missing = MISSING, className }: TimeProps) {
  const isClient = useIsClient();
  const clockMs = useNow(show === "relative" && now === undefined ? 1000 : 60_000);
  const timeMs = value == null ? Number.NaN : new Date(value).getTime();
  if (Number.isNaN(timeMs)) return <span className={className ?? "text-faint"}>{missing}</span>;
  const absolute = formatDateTime(timeMs, isClient ? undefined : "UTC");
  const nowMs = now ?? clockMs;
  const age = nowMs === null ? absolute : formatAge(nowMs - timeMs);
  const [shown, hidden] = show === "relative" ? [age, absolute] : [absolute, age];
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

/** The hyphen that comes with tabular figures is as wide as a figure and tears a date apart. */
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

/** A size with its exact count of bytes on hover. */
export function Bytes(props: { value: number | null | undefined; system?: ByteSystem; className?: string }) {
  const { value, system, className } = props;
  if (value == null) return <span className={className ?? "text-faint"}>{MISSING}</span>;
  return (
    <span title={`${formatCount(value)} bytes`} className={className ?? "whitespace-nowrap"}>
      {formatBytes(value, system)}
    </span>
  );
}
