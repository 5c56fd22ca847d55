"use client";
import { createElement, Fragment, type ReactNode, useId, useState } from "react";

interface ShownProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * State of a dialog with a subject. The subject stays until the next opening, so that nothing changes while the dialog
 * fades; `key` is new for each opening, so that each begins with an empty form.
 */
export function useDialog<Subject>() {
  const id = useId();
  const [state, setState] = useState<{ key: number; open: boolean; subject: Subject | null }>({
    key: 0,
    open: false,
    subject: null,
  });
  const setOpen = (open: boolean) => setState((current) => ({ ...current, open }));
  return {
    ...state,
    show: (subject: Subject) => setState(({ key }) => ({ key: key + 1, open: true, subject })),
    setOpen,
    /** Renders the dialog once it has a subject. */
    render: (dialog: (subject: Subject, shown: ShownProps) => ReactNode): ReactNode =>
      state.subject !== null &&
      createElement(
        Fragment,
        // Without the id, it would be the key of another dialog beside it.
        { key: id + state.key },
        dialog(state.subject, { open: state.open, onOpenChange: setOpen }),
      ),
  };
}

export type DialogState<Subject> = ReturnType<typeof useDialog<Subject>>;
