"use client";
import { createElement, Fragment, type ReactNode } from "react";
import type { DialogState } from "./use-dialog.ts";

interface ShownProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Renders a dialog once it has a subject. The outer fragment keeps its key apart from those of other dialogs. */
export function renderDialog<Subject>(
  { key, open, subject, setOpen }: DialogState<Subject>,
  render: (subject: Subject, shown: ShownProps) => ReactNode,
): ReactNode {
  if (subject === null) return null;
  const dialog = createElement(Fragment, { key }, render(subject, { open, onOpenChange: setOpen }));
  return createElement(Fragment, null, dialog);
}
