export { backupKey } from "./backup-key.ts";
export { type RestoreConsoleOptions, restoreConsole } from "./restore-console.ts";
