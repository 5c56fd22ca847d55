"use client";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { Button } from "../form/button.tsx";
import { CopyableId } from "./copyable.tsx";
import { StatusShape } from "./status.tsx";

/** Empty state: what belongs here, and the step that adds it. */
export function EmptyState(props: {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={cx("mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center", props.className)}
    >
      {props.icon && (
        <span aria-hidden="true" className="mb-3 text-faint [&_svg]:size-7 [&_svg]:stroke-[1.5]">
          {props.icon}
        </span>
      )}
      <p className="text-md font-medium text-ink">{props.title}</p>
      {props.children && <div className="mt-1 text-pretty text-muted">{props.children}</div>}
      {props.action && <div className="mt-4 flex flex-wrap justify-center gap-2">{props.action}</div>}
    </div>
  );
}

export type ErrorStateProps = {
  /** The failed action. */
  title: string;
  /** Cause, in one sentence. */
  reason?: ReactNode;
  /** Suggested remedy. */
  advice?: ReactNode;
  requestId?: string;
  onRetry?: () => void;
  retrying?: boolean;
  className?: string;
};

export function ErrorState({
  title,
  reason,
  advice,
  requestId,
  onRetry,
  retrying,
  className,
}: ErrorStateProps) {
  return (
    <div
      role="alert"
      className={cx("mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center", className)}
    >
      <StatusShape status="bad" size={14} className="mb-3" />
      <p className="text-md font-medium text-ink">{title}</p>
      {reason && <p className="mt-1 text-pretty text-muted">{reason}</p>}
      {advice && <p className="mt-1 text-pretty text-muted">{advice}</p>}
      {onRetry && (
        <Button className="mt-4" icon={<RotateCw aria-hidden="true" />} onClick={onRetry} pending={retrying}>
          Try again
        </Button>
      )}
      {requestId && (
        <p className="mt-4 flex items-center gap-1.5 text-sm text-faint">
          Request <CopyableId value={requestId} label="request id" />
        </p>
      )}
    </div>
  );
}
