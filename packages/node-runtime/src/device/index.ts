/** What a drive says of itself, for agents of vaults and of other machines. */
export { accountOf, type DriveAccount } from "../metrics/drive-account.ts";
export { askAccount } from "./account.ts";
export { askSmart, type SmartAnswer } from "./smart.ts";
