import { listRunsInput, scheduleIdInput } from "@stashlight/contracts";
import { listRuns, listSchedules, pauseSchedule, resumeSchedule, runScheduleNow } from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const scheduleRouter = router({
  list: procedure.query(({ ctx: { ctx } }) => listSchedules({ ctx })),
  listRuns: procedure.input(listRunsInput).query(({ ctx: { ctx }, input }) => listRuns({ ctx, input })),
  runNow: procedure
    .input(scheduleIdInput)
    .mutation(({ ctx: { ctx }, input }) => runScheduleNow({ ctx, input })),
  pause: procedure
    .input(scheduleIdInput)
    .mutation(({ ctx: { ctx }, input }) => pauseSchedule({ ctx, input })),
  resume: procedure
    .input(scheduleIdInput)
    .mutation(({ ctx: { ctx }, input }) => resumeSchedule({ ctx, input })),
});
