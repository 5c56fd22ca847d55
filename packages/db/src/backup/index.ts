export { type BackUpOptions, backUp } from "./back-up.ts";
export type { BackupEnd, BackupKey } from "./chunk-format.ts";
export type { BackupTrust } from "./read-file.ts";
export { type Restored, type RestoreOptions, type RestoreTransaction, restore } from "./restore.ts";
