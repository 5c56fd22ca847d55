"use client";
import { useEffect, useRef } from "react";

/** Marks the field that takes what was typed ahead of it. */
export const KEYS_AHEAD_FIELD = "data-keys-ahead";

/** The text after one more key: characters are added, and Backspace takes the last one away. */
export function withKey(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1);
  return [...key].length === 1 ? text + key : text;
}

/**
 * Collects what is typed between the shortcut that opens a dialog and the dialog itself, whose code may still be on its
 * way. The dialog's field takes it when it gets the focus.
 */
export function useKeysAhead(open: boolean): () => string {
  const text = useRef("");
  useEffect(() => {
    if (!open) return;
    text.current = "";
    const onKeyDown = (event: KeyboardEvent) => {
      const isChord = event.ctrlKey || event.metaKey || event.altKey;
      if (isChord || event.isComposing || isKeysAheadField(event.target)) return;
      const next = withKey(text.current, event.key);
      if (next === text.current) return;
      text.current = next;
      // The page behind has shortcuts of the same keys.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, [open]);
  return () => {
    const taken = text.current;
    text.current = "";
    return taken;
  };
}

const isKeysAheadField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.hasAttribute(KEYS_AHEAD_FIELD);
