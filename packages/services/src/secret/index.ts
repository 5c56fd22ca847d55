export { assertInstallationSecret, assertKeyOfSecret } from "./assert-installation-secret.ts";
