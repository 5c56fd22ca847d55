"use client";
import { type ReactNode, useState } from "react";
import { lazyWhenOpen } from "../core/lazy.tsx";

export interface TipProps {
  /** The words of the sentence that are explained. */
  label: string;
  title: string;
  children: ReactNode;
}

export interface TipPanelProps extends Omit<TipProps, "label"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
  /** The focus goes into it, and back where it was. */
  takesFocus: boolean;
}

const loadPanel = async () => (await import("./tip-panel.tsx")).TipPanel;
const TipPanel = lazyWhenOpen<TipPanelProps>(loadPanel);

/** Words in a sentence that open what explains them: while a mouse points at them, or by a press, a tap or a key. */
export function Tip({ label, ...panel }: TipProps) {
  const [{ open, isPressed }, setState] = useState({ open: false, isPressed: false });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setState({ open: false, isPressed });
  return (
    // React counts the panel as within this element, so a mouse that moves on to the panel does not leave.
    <span
      onPointerEnter={({ pointerType }) => {
        if (!open && pointerType === "mouse") setState({ open: true, isPressed: false });
      }}
      onPointerLeave={() => {
        if (!isPressed) close();
      }}
    >
      <button
        type="button"
        ref={setAnchor}
        aria-haspopup="dialog"
        aria-expanded={open}
        onFocus={loadPanel}
        onClick={() => setState({ open: !(open && isPressed), isPressed: true })}
        className="inline rounded-sm text-inherit underline decoration-dotted decoration-1 underline-offset-2 hover:text-ink print:hidden"
      >
        {label}
      </button>
      {/* Paper has nothing to press. As generated content the words stand in the sentence once. */}
      <span data-label={label} className="hidden print:inline before:content-[attr(data-label)]" />
      <TipPanel {...panel} open={open} onOpenChange={close} anchor={anchor} takesFocus={isPressed} />
    </span>
  );
}
