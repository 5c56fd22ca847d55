import { listRunsInput, pauseScheduleInput, scheduleIdInput } from "@stashlight/contracts/schedule";
import { listRuns, listSchedules, pauseSchedule, runScheduleNow } from "@stashlight/services/schedule";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const scheduleRouter = router({
  list: query(listSchedules),
  listRuns: queryWith(listRunsInput, listRuns),
  runNow: mutationWith(scheduleIdInput, runScheduleNow),
  pause: mutationWith(pauseScheduleInput, pauseSchedule),
});
