export { Keys } from "./caps.tsx";
export { type Shortcut, useShortcutList, useShortcuts } from "./use-shortcuts.ts";
