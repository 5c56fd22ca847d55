"use client";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "../core/cx.ts";
import { UiLink } from "../core/provider.tsx";
import { type Status, statusGround, statusText } from "../core/status.ts";
import { isActivePath } from "./active-path.ts";

export type NavigationBadge = {
  text: string;
  status: Status;
  /** Meaning of the count, for screen readers. */
  description: string;
};

export type NavigationItem = {
  href: string;
  label: string;
  icon: ReactNode;
  /** Active only on this exact path, not below it. */
  exact?: boolean;
  /** Count at the end of the line, outside the link's name. */
  badge?: NavigationBadge | undefined;
};

export type NavigationGroup = { id: string; label?: string; items: readonly NavigationItem[] };

export type NavigationProps = {
  groups: readonly NavigationGroup[];
  currentPath: string;
  onNavigate?: () => void;
};

export function Navigation({ groups, currentPath, onNavigate }: NavigationProps) {
  const nav = useRef<HTMLElement>(null);
  // Scrolls the current item into view, because a short window does not show all items.
  useEffect(() => {
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [currentPath]);
  return (
    <nav ref={nav} aria-label="Main" className="flex flex-col gap-2 max-md:gap-4">
      {groups.map(({ id, label, items }) => (
        <div key={id}>
          {label && <p className="px-2 text-sm text-faint max-md:pb-1">{label}</p>}
          <ul aria-label={label} className="flex flex-col max-md:gap-px">
            {items.map((item) => (
              <li key={item.href}>
                <ItemLink
                  item={item}
                  active={isActivePath(currentPath, item.href, item.exact)}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function ItemLink(props: { item: NavigationItem; active: boolean; onNavigate?: () => void }) {
  const { item, active, onNavigate } = props;
  return (
    <UiLink
      href={item.href}
      onClick={onNavigate}
      aria-current={active ? "page" : undefined}
      aria-description={item.badge?.description}
      className={cx(
        // Low enough that all items of an admin fit at 1440 x 900, and never below the target size of WCAG 2.2.
        "flex h-6.5 items-center gap-2.5 rounded-md px-2 no-underline max-md:h-10 [&>svg]:size-4 [&>svg]:shrink-0",
        active
          ? "bg-accent-soft font-medium text-accent-ink"
          : "text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint",
      )}
    >
      {item.icon}
      <span className="truncate">{item.label}</span>
      {item.badge && <CountBadge badge={item.badge} className="ml-auto" />}
    </UiLink>
  );
}

/** Drawn by the style sheet, so that the link's text is its name alone. */
export function CountBadge({ badge, className }: { badge: NavigationBadge; className?: string }) {
  return (
    <span
      aria-hidden="true"
      data-count={badge.text}
      className={cx(
        "before:content-[attr(data-count)] inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-sm font-medium tabular-nums",
        statusGround[badge.status],
        statusText[badge.status],
        className,
      )}
    />
  );
}
