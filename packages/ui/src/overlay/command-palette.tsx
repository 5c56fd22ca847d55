"use client";
import { Search } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { lazyWhenOpen } from "../core/lazy.tsx";
import { Keys } from "../shortcuts/caps.tsx";

export { useKeysAhead } from "./keys-ahead.ts";

export type Command = {
  id: string;
  label: string;
  group?: string;
  icon?: ReactNode;
  /** Location or result of the item. */
  detail?: string;
  /** Shown only; register the keys with useShortcuts. */
  shortcut?: string;
  /** Additional search terms. */
  keywords?: string;
  run: () => void;
};

export type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  items: readonly Command[];
  placeholder?: string;
  /** Returns the text typed while the palette was loading (`useKeysAhead`). */
  takeKeysAhead?: () => string;
  /** Receives the query, for items that the server finds. */
  onQueryChange?: (query: string) => void;
  /** True while items for the query are loading. */
  isSearching?: boolean;
};

const loadPanel = async () => (await import("./command-palette-panel.tsx")).CommandPalettePanel;

/** Finds the given pages and actions by name. The console opens it with Ctrl+K or Cmd+K. */
export const CommandPalette = lazyWhenOpen<CommandPaletteProps>(loadPanel);

/** Looks like the field that it opens; a phone shows the icon alone. */
export function CommandButton({ className, ...rest }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      {...rest}
      onPointerEnter={loadPanel}
      onFocus={loadPanel}
      className={cx(
        "flex h-8 items-center gap-2 rounded-md border border-control/60 bg-surface px-2 text-faint hover:border-control hover:text-muted max-md:w-10 max-md:justify-center max-md:border-transparent max-md:bg-transparent",
        className,
      )}
    >
      <Search size={14} aria-hidden="true" className="max-md:size-[18px]" />
      <span className="max-md:sr-only">
        Search<span className="sr-only"> everything</span>
      </span>
      <span className="ml-auto max-md:hidden">
        <Keys keys="mod+k" />
      </span>
    </button>
  );
}
