"use client";
import { Tooltip as Primitive } from "@base-ui/react/tooltip";
import { cx } from "../core/cx.ts";
import { popupClass } from "./popup.ts";
import type { TooltipPanelProps } from "./tooltip.tsx";

export function TooltipPanel(props: TooltipPanelProps) {
  const { id, content, side = "top", open, onOpenChange, anchor, onPointerEnter, onPointerLeave } = props;
  return (
    <Primitive.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Primitive.Portal>
        <Primitive.Positioner anchor={anchor} side={side} sideOffset={6} className="z-60">
          <Primitive.Popup
            id={id}
            role="tooltip"
            onPointerEnter={onPointerEnter}
            onPointerLeave={onPointerLeave}
            className={cx(popupClass, "max-w-72 px-2 py-1 text-sm text-pretty")}
          >
            {content}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
