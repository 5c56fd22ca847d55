import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { type Status, statusGround } from "../core/status.ts";
import { StatusShape } from "./status.tsx";

/** A note beside content that affects how to read or use it. */
export function Callout(props: {
  status?: Status;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  const { status = "info", title, children, action, className } = props;
  return (
    <div
      className={cx(
        "flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md px-3 py-2.5",
        statusGround[status],
        className,
      )}
    >
      <span className="flex h-5 items-center">
        <StatusShape status={status} />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        {title && <p className="font-medium text-ink">{title}</p>}
        {children && <div className="text-muted">{children}</div>}
      </div>
      {action}
    </div>
  );
}
