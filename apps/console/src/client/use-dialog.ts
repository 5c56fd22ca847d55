"use client";
import { useState } from "react";

/**
 * State of a dialog with a subject. The subject stays until the next opening, so that nothing changes while the dialog
 * fades; `key` is new for each opening, so that each begins with an empty form.
 */
export function useDialog<Subject>() {
  const [state, setState] = useState<{ key: number; open: boolean; subject: Subject | null }>({
    key: 0,
    open: false,
    subject: null,
  });
  return {
    ...state,
    show: (subject: Subject) => setState(({ key }) => ({ key: key + 1, open: true, subject })),
    setOpen: (open: boolean) => setState((current) => ({ ...current, open })),
  };
}

export type DialogState<Subject> = ReturnType<typeof useDialog<Subject>>;
