export { type Heartbeat, startHeartbeat } from "./heartbeat.ts";
export { productVersion } from "./version.ts";
