export { type BackUpOptions, backUp } from "./back-up.ts";
export type { BackupEnd } from "./file.ts";
export { type Restored, type RestoreOptions, restore } from "./restore.ts";
