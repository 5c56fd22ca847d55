import {
  alertRuleIdInput,
  alertRuleInput,
  alertSilenceIdInput,
  createAlertSilenceInput,
  enableAlertRuleInput,
  listAlertEventsInput,
  previewAlertRuleInput,
  updateAlertRuleInput,
} from "@stashlight/contracts/alert";
import {
  countFiring,
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
} from "@stashlight/services/alert";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const alertRouter = router({
  listFiring: query(listFiring),
  countFiring: query(countFiring),
  listEvents: queryWith(listAlertEventsInput, listAlertEvents),
  listRules: query(listAlertRules),
  getRule: queryWith(alertRuleIdInput, getAlertRule),
  preview: queryWith(previewAlertRuleInput, previewAlertRule),
  createRule: mutationWith(alertRuleInput, createAlertRule),
  updateRule: mutationWith(updateAlertRuleInput, updateAlertRule),
  enableRule: mutationWith(enableAlertRuleInput, enableAlertRule),
  deleteRule: mutationWith(alertRuleIdInput, deleteAlertRule),
  listSilences: query(listSilences),
  silence: mutationWith(createAlertSilenceInput, silenceAlerts),
  endSilence: mutationWith(alertSilenceIdInput, endSilence),
});
