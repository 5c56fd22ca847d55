export { compareDrives } from "./compare.ts";
export { getDiskRun, getDrive } from "./get.ts";
export { listDrives } from "./list.ts";
