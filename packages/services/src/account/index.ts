export { changePassword } from "./change-password.ts";
export { endSession } from "./end-session.ts";
export { type AccountSettings, getSettings } from "./get-settings.ts";
export { confirmTotp, disableTotp, renewBackupCodes, startTotp, type TotpSetup } from "./totp.ts";
export { updateProfile } from "./update-profile.ts";
