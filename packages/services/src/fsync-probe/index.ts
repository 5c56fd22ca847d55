export { latestFsyncProbe } from "./latest.ts";
export { listFsyncProbes } from "./list.ts";
export { requestFsyncProbe } from "./request.ts";
