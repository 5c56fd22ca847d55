"use client";
import { type ReactNode, useId, useState } from "react";

/** A part of a long form with its own heading. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be in a row with other elements.
    <div role="group" aria-labelledby={id} className="flex min-w-0 flex-col gap-4">
      <h3 id={id} className="text-md font-semibold text-ink">
        {title}
      </h3>
      {children}
    </div>
  );
}

interface AdvancedProps {
  /** True if a field inside is invalid, which keeps the section open. */
  readonly hasError?: boolean;
  readonly children: ReactNode;
}

/** Section for fields with good defaults that few users change. */
export function Advanced({ hasError = false, children }: AdvancedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-md border border-line"
    >
      <summary className="px-4 py-2.5 font-medium text-ink">Advanced</summary>
      <div className="flex flex-col gap-5 border-t border-line px-4 py-4">{children}</div>
    </details>
  );
}
