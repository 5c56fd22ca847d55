export { missedOutcome } from "./missed-run.ts";
export {
  type JobKind,
  jobKinds,
  listRunsInput,
  pauseScheduleInput,
  type RunTrigger,
  type ScheduleRow,
  type ScheduleRunRow,
  type ScheduleRunState,
  scheduleIdInput,
} from "./schedule.ts";
