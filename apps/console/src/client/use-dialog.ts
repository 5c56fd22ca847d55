"use client";
import { useState } from "react";

/**
 * State of a dialog about a subject. The subject stays until the next opening, so that nothing changes while the dialog
 * fades out. `key` is new for each opening, so that the form starts empty.
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
