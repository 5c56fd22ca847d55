"use client";
import { type ReactNode, useState } from "react";
import { lazyWhenOpen } from "../core/lazy.tsx";

export interface TipProps {
  /** The words in the sentence that the tip explains. */
  label: string;
  title: string;
  children: ReactNode;
}

export interface TipPanelProps extends Omit<TipProps, "label"> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
  /** Moves focus into the tip and back on closing. */
  takesFocus: boolean;
}

const loadPanel = async () => (await import("./tip-panel.tsx")).TipPanel;
const TipPanel = lazyWhenOpen<TipPanelProps>(loadPanel);

/** Words in a sentence with an explanation that opens on hover, press, tap or key. */
export function Tip({ label, ...panel }: TipProps) {
  const [{ open, isPressed }, setState] = useState({ open: false, isPressed: false });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setState({ open: false, isPressed });
  return (
    // React counts the panel as a child of this element, so a mouse that moves onto the panel does not leave it.
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
      {/* Printed as generated content, because paper has nothing to press. */}
      <span data-label={label} className="hidden print:inline before:content-[attr(data-label)]" />
      <TipPanel {...panel} open={open} onOpenChange={close} anchor={anchor} takesFocus={isPressed} />
    </span>
  );
}
