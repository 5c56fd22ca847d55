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
  /** Element that gets the focus first; defaults to the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/** A modal question or form. */
export const Dialog = lazyWhenOpen<DialogProps>(async () => (await import("./dialog-panel.tsx")).DialogPanel);

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question: "Disable Ada Lovelace?" */
  title: string;
  /** All consequences, and whether the action can be undone. */
  consequence: ReactNode;
  /** Verb and object: "Disable user". */
  confirmLabel: string;
  /** Text to type as confirmation of an irreversible action. */
  confirmText?: string;
  /** Resolves when done, which closes the dialog; a rejection is shown and keeps it open. */
  onConfirm: () => Promise<unknown>;
  /** Formats an error thrown by `onConfirm`. */
  describeError?: (error: unknown) => string;
  /** False for a confirmation that destroys nothing. */
  danger?: boolean;
};

/** Explains an action and asks for confirmation. */
export const ConfirmDialog = lazyWhenOpen<ConfirmDialogProps>(
  async () => (await import("./dialog-panel.tsx")).ConfirmPanel,
);
