"use client";
import { Popover } from "@base-ui/react/popover";
import { cx } from "../core/cx.ts";
import { popupClass } from "../core/popup.ts";
import { exceptPressOn } from "./press.ts";
import type { TipPanelProps } from "./tip.tsx";

export function TipPanel({ title, children, open, onOpenChange, anchor, takesFocus }: TipPanelProps) {
  return (
    <Popover.Root open={open} onOpenChange={exceptPressOn(anchor, onOpenChange)}>
      <Popover.Portal>
        {/* Bridges the gap to the text, so that a mouse crossing it stays on the tip. */}
        <Popover.Positioner anchor={anchor} align="start" className="z-50 py-1">
          <Popover.Popup
            initialFocus={takesFocus}
            finalFocus={() => (takesFocus ? anchor : false)}
            className={cx(popupClass, "flex max-w-80 flex-col gap-1 px-3 py-2 text-base")}
          >
            <Popover.Title className="font-medium">{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
