"use client";
import { lazyWhenOpen } from "../core/lazy.tsx";

export type KeyboardHelpProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Lists every shortcut that works on this page; the console opens it with "?". */
export const KeyboardHelp = lazyWhenOpen<KeyboardHelpProps>(
  async () => (await import("./keyboard-help-panel.tsx")).KeyboardHelpPanel,
);
