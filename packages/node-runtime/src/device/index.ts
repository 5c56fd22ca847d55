/** Reads a drive's own identity and health, for agents of vaults and of other machines. */

export { askAccount } from "./account.ts";
export { type DriveAccount, recordAccount } from "./drive-account.ts";
export { askSmart, type SmartAnswer } from "./smart.ts";
