export { ensureSchedules } from "./ensure.ts";
export { listSchedules } from "./list.ts";
export { listRuns } from "./list-runs.ts";
export { pauseSchedule } from "./pause.ts";
export { planDueRuns } from "./plan-due.ts";
export { openRunQueue, type RunQueue } from "./queue.ts";
export { runScheduleNow } from "./run-now.ts";
