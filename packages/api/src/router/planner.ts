import {
  createScenarioInput,
  deleteScenarioInput,
  liveInputsInput,
  readReportInput,
  renameScenarioInput,
  reportIdInput,
  scenarioIdInput,
  sharePlanInput,
  updateScenarioInput,
} from "@stashlight/contracts";
import {
  createScenario,
  deleteScenario,
  getScenario,
  listPlanReports,
  listScenarios,
  liveInputs,
  readPlanReport,
  renameScenario,
  revokePlanReport,
  setDefaultScenario,
  sharePlan,
  updateScenario,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

/** Reading a report is a mutation although it changes nothing: the token stays out of URLs, which logs keep. */
export const plannerRouter = router({
  liveInputs: procedure.input(liveInputsInput).query(({ ctx: { ctx }, input }) => liveInputs({ ctx, input })),
  listScenarios: procedure.query(({ ctx: { ctx } }) => listScenarios({ ctx })),
  getScenario: procedure
    .input(scenarioIdInput)
    .query(({ ctx: { ctx }, input }) => getScenario({ ctx, input })),
  createScenario: procedure
    .input(createScenarioInput)
    .mutation(({ ctx: { ctx }, input }) => createScenario({ ctx, input })),
  updateScenario: procedure
    .input(updateScenarioInput)
    .mutation(({ ctx: { ctx }, input }) => updateScenario({ ctx, input })),
  renameScenario: procedure
    .input(renameScenarioInput)
    .mutation(({ ctx: { ctx }, input }) => renameScenario({ ctx, input })),
  deleteScenario: procedure
    .input(deleteScenarioInput)
    .mutation(({ ctx: { ctx }, input }) => deleteScenario({ ctx, input })),
  setDefaultScenario: procedure
    .input(scenarioIdInput)
    .mutation(({ ctx: { ctx }, input }) => setDefaultScenario({ ctx, input })),
  share: procedure.input(sharePlanInput).mutation(({ ctx: { ctx }, input }) => sharePlan({ ctx, input })),
  listReports: procedure.query(({ ctx: { ctx } }) => listPlanReports({ ctx })),
  revokeReport: procedure
    .input(reportIdInput)
    .mutation(({ ctx: { ctx }, input }) => revokePlanReport({ ctx, input })),
  readReport: procedure
    .input(readReportInput)
    .mutation(({ ctx: { ctx }, input }) => readPlanReport({ ctx, input })),
});
