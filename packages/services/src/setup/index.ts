export { completeSetup } from "./complete.ts";
export { isSetUp } from "./is-set-up.ts";
export { openSetup } from "./open.ts";
export { recordInstallationSecret, type SecretOptions } from "./record-secret.ts";
export { recoverUser } from "./recover.ts";
