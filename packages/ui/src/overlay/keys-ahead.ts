"use client";
import { useEffect, useRef } from "react";

/** Marks the field that receives the typed-ahead text. */
export const KEYS_AHEAD_FIELD = "data-keys-ahead";

/** Applies one more key: appends a character, or removes the last one for Backspace. */
export function withKey(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1);
  return [...key].length === 1 ? text + key : text;
}

/**
 * Collects keys typed between a dialog's shortcut and the dialog, whose code may still be loading. The dialog's field
 * receives the text when it gets the focus.
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
      // Keeps the page behind from taking the same keys as shortcuts.
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
