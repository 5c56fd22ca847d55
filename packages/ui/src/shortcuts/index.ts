export { type Shortcut, useShortcuts } from "./use-shortcuts.ts";
