/** Reads a drive's own identity and health, for agents of vaults and of other machines. */

export { type DriveAccount, recordAccount } from "./drive-account.ts";
export { askAccount } from "./drive-account-reader.ts";
export { askSmart, type SmartAnswer } from "./smart.ts";
