import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { type Status, statusGround, statusText, statusWord } from "../core/status.ts";

/** One shape per status, so that it is recognised without colour: disc, triangle, square, ring, hatched disc. */
export function StatusShape({
  status,
  size = 10,
  className,
}: {
  status: Status;
  size?: number;
  className?: string;
}) {
  if (status === "unknown") {
    return (
      <span
        aria-hidden="true"
        style={{ width: size, height: size }}
        className={cx("hatched inline-block shrink-0 rounded-full border border-unknown", className)}
      />
    );
  }
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 10 10"
      aria-hidden="true"
      className={cx("shrink-0", statusText[status], className)}
    >
      {status === "good" && <circle cx="5" cy="5" r="4" fill="currentColor" />}
      {status === "warning" && <path d="M5 .8 9.6 9H.4Z" fill="currentColor" />}
      {status === "bad" && <rect x="1" y="1" width="8" height="8" rx="1" fill="currentColor" />}
      {status === "info" && (
        <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.8" />
      )}
    </svg>
  );
}

/** Shape, colour and word. `hideLabel` keeps the word for screen readers where the context already shows it. */
export function StatusDot(props: {
  status: Status;
  label?: ReactNode;
  hideLabel?: boolean;
  className?: string;
}) {
  const { status, label = statusWord[status], hideLabel, className } = props;
  return (
    <span className={cx("inline-flex items-center gap-1.5 whitespace-nowrap", className)}>
      <StatusShape status={status} />
      <span className={hideLabel ? "sr-only" : undefined}>{label}</span>
    </span>
  );
}

/** A short state in a line of text or a table; a plain tag without a status. */
export function Badge({
  status,
  children,
  className,
}: {
  status?: Status;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={cx(
        "inline-flex h-5 shrink-0 items-center gap-1.5 rounded-sm px-1.5 text-sm font-medium whitespace-nowrap",
        status ? statusGround[status] : "bg-unknown-soft",
        status ? statusText[status] : "text-muted",
        className,
      )}
    >
      {status && <StatusShape status={status} size={8} />}
      {children}
    </span>
  );
}
