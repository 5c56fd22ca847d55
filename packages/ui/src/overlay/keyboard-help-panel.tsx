"use client";
import { Keys } from "../shortcuts/caps.tsx";
import { type Shortcut, useShortcutList } from "../shortcuts/use-shortcuts.ts";
import { DialogPanel } from "./dialog-panel.tsx";
import type { KeyboardHelpProps } from "./keyboard-help.tsx";

export function KeyboardHelpPanel({ open, onOpenChange }: KeyboardHelpProps) {
  const groups = Map.groupBy(uniqueByKeys(useShortcutList()), (shortcut) => shortcut.group ?? "This page");
  return (
    <DialogPanel open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <div className="flex flex-col gap-5">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group} aria-label={group}>
            <h3 className="mb-1 text-sm font-medium text-faint">{group}</h3>
            <dl className="divide-y divide-line">
              {shortcuts.map(({ keys, label }) => (
                <div key={keys} className="flex min-h-8 items-center justify-between gap-4 text-base">
                  <dt className="text-ink">{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </DialogPanel>
  );
}

function uniqueByKeys(shortcuts: readonly Shortcut[]): Shortcut[] {
  return [...new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut])).values()];
}
