"use client";
import { Check, Copy, X } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { type CopyState, useCopy } from "../core/use-copy.ts";
import { Button, type ButtonProps } from "../form/button.tsx";

const icons: Record<CopyState, ReactNode> = {
  idle: <Copy aria-hidden="true" />,
  copied: <Check aria-hidden="true" className="text-good" />,
  failed: <X aria-hidden="true" className="text-bad" />,
};

const announcements: Record<CopyState, string> = {
  idle: "",
  copied: "Copied",
  failed: "The browser refused to copy: select the text and copy it yourself.",
};

function Announcement({ state }: { state: CopyState }) {
  return (
    <span role="status" className="sr-only">
      {announcements[state]}
    </span>
  );
}

/** An identifier that is copied on click; `chars` shortens what is shown, not what is copied. */
export function CopyableId(props: { value: string; label?: string; chars?: number; className?: string }) {
  const { value, label = "id", chars, className } = props;
  const { state, copy } = useCopy();
  const shown = chars !== undefined && value.length > chars ? `${value.slice(0, chars)}…` : value;
  return (
    <span className={cx("-mx-1 inline-flex max-w-[calc(100%+8px)] min-w-0", className)}>
      <button
        type="button"
        onClick={() => copy(value)}
        aria-label={`Copy ${label} ${value}`}
        title={shown === value ? undefined : value}
        className="group inline-flex max-w-full min-w-0 items-center gap-1 rounded-sm px-1 font-mono text-sm text-muted hover:bg-hover hover:text-ink [&_svg]:size-3 [&_svg]:shrink-0"
      >
        <span className="truncate">{shown}</span>
        <span
          className={
            state === "idle" ? "opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100" : ""
          }
        >
          {icons[state]}
        </span>
      </button>
      <Announcement state={state} />
    </span>
  );
}

/** A button that copies `value` and confirms it. */
function CopyButton(props: Omit<ButtonProps, "value" | "onClick"> & { value: string; label?: string }) {
  const { value, label = "Copy", children, ...rest } = props;
  const { state, copy } = useCopy();
  return (
    <>
      <Button
        {...rest}
        icon={icons[state]}
        onClick={() => copy(value)}
        aria-label={children ? undefined : label}
      >
        {children}
      </Button>
      <Announcement state={state} />
    </>
  );
}

/** A secret that the server shows once and keeps only as a hash. */
export function Secret(props: { label: string; value: string; children?: ReactNode; className?: string }) {
  const { label, value, children, className } = props;
  return (
    <div className={cx("flex flex-col gap-1.5", className)}>
      <span className="text-base font-medium text-ink">{label}</span>
      <div className="flex items-stretch gap-2">
        <code className="min-w-0 flex-1 rounded-md border border-line-strong bg-sunken px-2.5 py-1.5 text-sm break-all text-ink select-all">
          {value}
        </code>
        <CopyButton value={value} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <p className="text-sm text-warning">
        {children ?? "Shown once. Save it now; it cannot be shown again."}
      </p>
    </div>
  );
}

/** Text for a terminal or a file, with a copy button. */
export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <figure className={cx("relative overflow-hidden rounded-md border border-line bg-sunken", className)}>
      <figcaption className="flex h-8 items-center justify-between border-b border-line pr-0.5 pl-3 text-sm text-faint">
        {label}
        <CopyButton value={code} size="sm" variant="quiet" label={`Copy ${label}`} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls sideways, so the keyboard must reach it. */}
      <pre tabIndex={0} className="overflow-x-auto px-3 py-2 text-sm text-ink">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
