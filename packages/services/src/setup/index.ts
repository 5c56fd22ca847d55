export { completeSetup } from "./complete.ts";
export { openSetup } from "./open.ts";
export { recoverUser } from "./recover.ts";
