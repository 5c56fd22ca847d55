import {
  alertRuleIdInput,
  alertRuleInput,
  alertSilenceIdInput,
  createAlertSilenceInput,
  enableAlertRuleInput,
  listAlertEventsInput,
  previewAlertRuleInput,
  updateAlertRuleInput,
} from "@stashlight/contracts";
import {
  createAlertRule,
  deleteAlertRule,
  enableAlertRule,
  endSilence,
  getAlertRule,
  listAlertEvents,
  listAlertRules,
  listFiring,
  listSilences,
  previewAlertRule,
  silenceAlerts,
  updateAlertRule,
} from "@stashlight/services";
import { procedure, router } from "../trpc.ts";

export const alertRouter = router({
  listFiring: procedure.query(({ ctx: { ctx } }) => listFiring({ ctx })),
  listEvents: procedure
    .input(listAlertEventsInput)
    .query(({ ctx: { ctx }, input }) => listAlertEvents({ ctx, input })),
  listRules: procedure.query(({ ctx: { ctx } }) => listAlertRules({ ctx })),
  getRule: procedure.input(alertRuleIdInput).query(({ ctx: { ctx }, input }) => getAlertRule({ ctx, input })),
  preview: procedure
    .input(previewAlertRuleInput)
    .query(({ ctx: { ctx }, input }) => previewAlertRule({ ctx, input })),
  createRule: procedure
    .input(alertRuleInput)
    .mutation(({ ctx: { ctx }, input }) => createAlertRule({ ctx, input })),
  updateRule: procedure
    .input(updateAlertRuleInput)
    .mutation(({ ctx: { ctx }, input }) => updateAlertRule({ ctx, input })),
  enableRule: procedure
    .input(enableAlertRuleInput)
    .mutation(({ ctx: { ctx }, input }) => enableAlertRule({ ctx, input })),
  deleteRule: procedure
    .input(alertRuleIdInput)
    .mutation(({ ctx: { ctx }, input }) => deleteAlertRule({ ctx, input })),
  listSilences: procedure.query(({ ctx: { ctx } }) => listSilences({ ctx })),
  silence: procedure
    .input(createAlertSilenceInput)
    .mutation(({ ctx: { ctx }, input }) => silenceAlerts({ ctx, input })),
  endSilence: procedure
    .input(alertSilenceIdInput)
    .mutation(({ ctx: { ctx }, input }) => endSilence({ ctx, input })),
});
