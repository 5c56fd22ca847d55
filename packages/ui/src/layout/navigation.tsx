"use client";
import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { UiLink } from "../core/provider.tsx";
import { isActivePath } from "./active-path.ts";

export type NavigationItem = {
  href: string;
  label: string;
  icon: ReactNode;
  /** Active on this very path only, not beneath it. */
  exact?: boolean;
  /** At the end of the line: a count, a StatusDot. */
  badge?: ReactNode;
};

export type NavigationGroup = { id: string; label?: string; items: readonly NavigationItem[] };

export type NavigationProps = {
  groups: readonly NavigationGroup[];
  currentPath: string;
  onNavigate?: () => void;
};

export function Navigation({ groups, currentPath, onNavigate }: NavigationProps) {
  return (
    <nav aria-label="Main" className="flex flex-col gap-4">
      {groups.map(({ id, label, items }) => (
        <div key={id}>
          {label && <p className="px-2 pb-1 text-sm text-faint">{label}</p>}
          <ul aria-label={label} className="flex flex-col gap-px">
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
      className={cx(
        "flex h-8 items-center gap-2.5 rounded-md px-2 no-underline max-md:h-10 [&>svg]:size-4 [&>svg]:shrink-0",
        active
          ? "bg-accent-soft font-medium text-accent-ink"
          : "text-muted hover:bg-hover hover:text-ink [&>svg]:text-faint",
      )}
    >
      {item.icon}
      <span className="truncate">{item.label}</span>
      {item.badge && <span className="ml-auto">{item.badge}</span>}
    </UiLink>
  );
}
