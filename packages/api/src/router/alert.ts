import {
  acknowledgeAlertsInput,
  listAlertIncidentsInput,
  withdrawAcknowledgementInput,
} from "@stashlight/contracts/alert/event";
import { replayAlertRuleInput } from "@stashlight/contracts/alert/replay";
import {
  alertRuleIdInput,
  alertRuleInput,
  enableAlertRuleInput,
  previewAlertRuleInput,
  updateAlertRuleInput,
} from "@stashlight/contracts/alert/rule";
import {
  alertSilenceIdInput,
  createAlertSilenceInput,
  listMaintenanceInput,
  planMaintenanceInput,
} from "@stashlight/contracts/alert/silence";
import {
  acknowledgeAlerts,
  countFiring,
  createAlertRule,
  deleteAlertRule,
  enableAlertRule,
  endSilence,
  getAlertRule,
  listAlertIncidents,
  listAlertRules,
  listFiring,
  listMaintenance,
  listSilences,
  planMaintenance,
  previewAlertRule,
  replayAlertRule,
  silenceAlerts,
  updateAlertRule,
  withdrawAcknowledgement,
} from "@stashlight/services/alert";
import { mutationWith, query, queryWith, router } from "../trpc.ts";

export const alertRouter = router({
  listFiring: query(listFiring),
  countFiring: query(countFiring),
  listIncidents: queryWith(listAlertIncidentsInput, listAlertIncidents),
  listRules: query(listAlertRules),
  getRule: queryWith(alertRuleIdInput, getAlertRule),
  preview: queryWith(previewAlertRuleInput, previewAlertRule),
  replay: queryWith(replayAlertRuleInput, replayAlertRule),
  createRule: mutationWith(alertRuleInput, createAlertRule),
  updateRule: mutationWith(updateAlertRuleInput, updateAlertRule),
  enableRule: mutationWith(enableAlertRuleInput, enableAlertRule),
  deleteRule: mutationWith(alertRuleIdInput, deleteAlertRule),
  acknowledge: mutationWith(acknowledgeAlertsInput, acknowledgeAlerts),
  withdrawAcknowledgement: mutationWith(withdrawAcknowledgementInput, withdrawAcknowledgement),
  listMaintenance: queryWith(listMaintenanceInput, listMaintenance),
  listSilences: query(listSilences),
  silence: mutationWith(createAlertSilenceInput, silenceAlerts),
  planMaintenance: mutationWith(planMaintenanceInput, planMaintenance),
  endSilence: mutationWith(alertSilenceIdInput, endSilence),
});
