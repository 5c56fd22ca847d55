"use client";
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { lazyWhenOpen } from "../core/lazy.tsx";

export type TooltipProps = {
  content: ReactNode;
  /** An element that takes the focus, or the keyboard never finds the tip. */
  children: ReactElement<{ "aria-describedby"?: string }>;
  side?: "top" | "bottom" | "left" | "right";
};

export type TooltipPanelProps = Pick<TooltipProps, "content" | "side"> & {
  id: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: Element | null;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
};

const loadPanel = async () => (await import("./tooltip-panel.tsx")).TooltipPanel;
const TooltipPanel = lazyWhenOpen<TooltipPanelProps>(loadPanel);

const HOVER_MS = 300;
/** Long enough to move the pointer onto the tip itself, which must stay to be read or copied. */
const LEAVE_MS = 120;

/** Adds to what is already readable; nothing may be found only here. */
export function Tooltip({ content, children, side }: TooltipProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const openIn = (next: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), delayMs);
  };
  const approach = (event: PointerEvent | FocusEvent, delayMs: number) => {
    setAnchor(event.currentTarget.firstElementChild);
    openIn(true, delayMs);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only overhears what happens to its child. */}
      <span
        className="contents"
        onPointerEnter={(event) => approach(event, HOVER_MS)}
        onPointerLeave={() => openIn(false, LEAVE_MS)}
        onFocus={(event) => approach(event, 0)}
        onBlur={() => openIn(false, 0)}
      >
        {cloneElement(children, { "aria-describedby": open ? id : undefined })}
      </span>
      <TooltipPanel
        id={id}
        content={content}
        side={side}
        open={open}
        anchor={anchor}
        onOpenChange={(next) => openIn(next, 0)}
        onPointerEnter={() => openIn(true, 0)}
        onPointerLeave={() => openIn(false, LEAVE_MS)}
      />
    </>
  );
}
