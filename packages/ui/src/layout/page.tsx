import { type ReactNode, useId } from "react";
import { cx } from "../core/cx.ts";

/** Frame of a page inside the shell. */
export function Page({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      data-stack=""
      className={cx(
        "mx-auto flex w-full max-w-[1680px] flex-col gap-6 p-4 md:px-6 md:py-5 print:gap-4 print:p-0",
        className,
      )}
    >
      {children}
    </div>
  );
}

export type PageHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  /** Shown beside the title: a Badge, an id. */
  meta?: ReactNode;
  /** The page's one primary action. */
  action?: ReactNode;
  timeRange?: ReactNode;
  tabs?: ReactNode;
};

export function PageHeader({ title, description, meta, action, timeRange, tabs }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="text-lg font-semibold tracking-[-0.01em] text-ink">{title}</h1>
            {meta}
          </div>
          {description && <p className="max-w-[72ch] text-pretty text-muted">{description}</p>}
        </div>
        {(action || timeRange) && (
          <div className="flex flex-wrap items-center gap-2">
            {action}
            {timeRange}
          </div>
        )}
      </div>
      {tabs}
    </header>
  );
}

export type SectionProps = {
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** Draws a border; omit it around tables and tiles, which have their own. */
  card?: boolean;
  className?: string;
  children: ReactNode;
};

export function Section({ title, description, actions, card, className, children }: SectionProps) {
  const id = useId();
  return (
    <section
      data-stack=""
      aria-labelledby={title ? id : undefined}
      className={cx("flex min-w-0 flex-col gap-3", className)}
    >
      {(title || actions) && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2 break-after-avoid">
          <div className="min-w-0">
            {title && (
              <h2 id={id} className="text-md font-semibold text-ink">
                {title}
              </h2>
            )}
            {description && <p className="max-w-[72ch] text-pretty text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {card ? <div className="rounded-md border border-line bg-surface px-4 py-3">{children}</div> : children}
    </section>
  );
}
