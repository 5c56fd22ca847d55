export { compareDrives } from "./compare.ts";
export { getDiskRun, getDrive } from "./get.ts";
export { judgeDrivePeers } from "./judge-peers.ts";
export { listDrives } from "./list.ts";
