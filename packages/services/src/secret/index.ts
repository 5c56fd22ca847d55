export { assertInstallationSecret } from "./assert-installation-secret.ts";
