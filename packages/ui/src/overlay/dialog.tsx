"use client";
import type { ReactNode, RefObject } from "react";
import { lazyWhenOpen } from "../core/lazy.tsx";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  children?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** What takes the focus first; the first control without it. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/** A question or a form that must be answered before the page goes on. */
export const Dialog = lazyWhenOpen<DialogProps>(async () => (await import("./dialog-panel.tsx")).DialogPanel);

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question: "Disable Ada Lovelace?" */
  title: string;
  /** What will happen, in full, and whether it can be undone. */
  consequence: ReactNode;
  /** The verb and its object: "Disable user". */
  confirmLabel: string;
  /** Text that must be typed first, for what cannot be undone. */
  confirmText?: string;
  /** Resolves when it is done, which closes the dialog; a rejection is shown and leaves it open. */
  onConfirm: () => Promise<unknown>;
  /** Turns what `onConfirm` threw into a sentence. */
  describeError?: (error: unknown) => string;
  /** False for a confirmation that destroys nothing. */
  danger?: boolean;
};

/** Says what an action will do and does it only when told so again. */
export const ConfirmDialog = lazyWhenOpen<ConfirmDialogProps>(
  async () => (await import("./dialog-panel.tsx")).ConfirmPanel,
);
