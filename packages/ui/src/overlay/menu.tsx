"use client";
import {
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from "react";
import { lazyWhenOpen } from "../core/lazy.tsx";

type Action = {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  /** Effect of the item, or why it is disabled. */
  hint?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  href?: string;
  onSelect?: () => void;
};

/** Toggle item; keeps the menu open. */
type Choice = { id: string; label: ReactNode; checked: boolean; onCheckedChange: (checked: boolean) => void };

export type MenuItem = Action | Choice | { id: string; separator: true };

export type MenuProps = {
  /** Names the menu: "Actions for Ada Lovelace". */
  label: string;
  /** A Button, or any element that passes button attributes on. */
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuItem[];
  /** Header above the items, such as the current user. */
  header?: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
};

type TriggerProps = {
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  onPointerEnter?: () => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
};

export type MenuPanelProps = Omit<MenuProps, "trigger"> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
};

const loadPanel = async () => (await import("./menu-panel.tsx")).MenuPanel;
const MenuPanel = lazyWhenOpen<MenuPanelProps>(loadPanel);

/**
 * Actions behind a button. Loads the panel's code when the pointer enters the button or the button
 * gets the focus.
 */
export function Menu({ trigger, ...panel }: MenuProps) {
  const [open, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const toggle = (event: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => {
    setAnchor(event.currentTarget);
    setOpen(!open);
  };
  return (
    <>
      {cloneElement(trigger, {
        "aria-haspopup": "menu",
        "aria-expanded": open,
        onPointerEnter: loadPanel,
        onFocus: loadPanel,
        onClick: toggle,
        onKeyDown: (event) => {
          if (open || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
          event.preventDefault();
          toggle(event);
        },
      })}
      <MenuPanel {...panel} open={open} onOpenChange={setOpen} anchor={anchor} />
    </>
  );
}
