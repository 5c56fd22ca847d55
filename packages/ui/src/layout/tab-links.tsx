"use client";
import type { ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { UiLink } from "../core/provider.tsx";
import { isActivePath } from "./active-path.ts";

export type TabLink = { href: string; label: ReactNode; exact?: boolean };

/** Pages of one subject as tabs: each has its own address, so tabs are links. */
export function TabLinks(props: { label: string; currentPath: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={props.label} className="border-b border-line">
      <ul className="-mb-px flex gap-1 overflow-x-auto">
        {props.tabs.map(({ href, label, exact = true }) => {
          const active = isActivePath(props.currentPath, href, exact);
          return (
            <li key={href}>
              <UiLink
                href={href}
                aria-current={active ? "page" : undefined}
                className={cx(
                  "flex h-9 items-center border-b-2 px-2.5 whitespace-nowrap no-underline -outline-offset-2",
                  active
                    ? "border-accent-ink font-medium text-ink"
                    : "border-transparent text-muted hover:border-line-strong hover:text-ink",
                )}
              >
                {label}
              </UiLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
