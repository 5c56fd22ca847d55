"use client";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** Form-level error; its live region stays mounted, so that an error is announced when it appears. */
export function FormError({ children }: { children?: ReactNode }) {
  return (
    <div role="alert" className="contents">
      {children && (
        <p className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-base text-ink">
          <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}
