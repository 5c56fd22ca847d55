"use client";
import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { matchStep, pressedKey, SEQUENCE_MS } from "./keys.ts";

export type Shortcut = {
  /** "?", "mod+k" (Ctrl, or Cmd on a Mac), or two keys in sequence as "g u". */
  keys: string;
  label: string;
  group?: string;
  run: () => void;
  /** False for a shortcut that another component handles and that is only listed here. */
  enabled?: boolean;
};

type Registration = { id: string; read: () => readonly Shortcut[] };

const registry = {
  entries: [] as Registration[],
  list: [] as readonly Shortcut[],
  listeners: new Set<() => void>(),
};
const none: readonly Shortcut[] = [];
let pending: { step: string; atMs: number } | null = null;

function changed(): void {
  registry.list = registry.entries.flatMap((entry) => entry.read());
  for (const listener of registry.listeners) listener();
}

/** A dialog that fades out counts as closed, although it still has the focus. */
const OPEN_POPUP = ":is([role=dialog], [role=menu], [role=listbox]):not([data-closed], [data-closed] *)";

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.closest("[data-closed]")) return false;
  return (
    target.isContentEditable || target.matches("input:not([type=checkbox],[type=radio]), textarea, select")
  );
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const step = pressedKey(event);
  if (step === null) return;
  const isChord = step.startsWith("mod+");
  if (!isChord && (isTyping(event.target) || document.querySelector(OPEN_POPUP))) return;
  const shortcuts = registry.entries.flatMap((entry) => entry.read()).filter((one) => one.enabled !== false);
  const waiting = pending && event.timeStamp - pending.atMs <= SEQUENCE_MS ? pending.step : null;
  const match = matchStep(
    shortcuts.map((one) => one.keys),
    waiting,
    step,
  );
  pending = match.pending === null ? null : { step: match.pending, atMs: event.timeStamp };
  if (match.keys === null) return;
  event.preventDefault();
  // Prefers the shortcut registered last, so that a page's shortcut wins over the shell's for the same keys.
  shortcuts.findLast((one) => one.keys === match.keys)?.run();
}

function register(entry: Registration): () => void {
  if (registry.entries.length === 0) document.addEventListener("keydown", onKeyDown);
  registry.entries.push(entry);
  changed();
  return () => {
    registry.entries = registry.entries.filter((one) => one !== entry);
    if (registry.entries.length === 0) document.removeEventListener("keydown", onKeyDown);
    changed();
  };
}

/**
 * Activates shortcuts while this component is mounted. Only those with Ctrl or Cmd work while the
 * user types or a dialog is open.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const id = useId();
  const latest = useRef(shortcuts);
  const names = shortcuts.map((one) => `${one.keys}\t${one.label}`).join("\n");
  useEffect(() => {
    latest.current = shortcuts;
  });
  // Notifies only when the list in the help changes; a press always calls the latest functions.
  useEffect(() => register({ id, read: () => latest.current }), [id, names]);
}

function subscribe(onChange: () => void): () => void {
  registry.listeners.add(onChange);
  return () => registry.listeners.delete(onChange);
}

/** All registered shortcuts, for the help dialog. */
export function useShortcutList(): readonly Shortcut[] {
  return useSyncExternalStore(
    subscribe,
    () => registry.list,
    () => none,
  );
}
