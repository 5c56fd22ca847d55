export { describeEvidence as describeModelRate } from "@stashlight/planner";
export { recordDriveDays } from "./drive-days.ts";
export { importDriveStats } from "./import-stats.ts";
export { listFailureRates, listPlaceDrives } from "./list.ts";
export { markDrive } from "./mark-drive.ts";
