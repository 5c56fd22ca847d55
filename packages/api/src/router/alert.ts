import {
  acknowledgeAlertsInput,
  alertRuleIdInput,
  alertRuleInput,
  alertSilenceIdInput,
  channelIdInput,
  createAlertSilenceInput,
  createChannelInput,
  enableAlertRuleInput,
  listAlertIncidentsInput,
  listMaintenanceInput,
  outboundNetworkInput,
  planMaintenanceInput,
  previewAlertRuleInput,
  replayAlertRuleInput,
  updateAlertRuleInput,
  updateChannelInput,
  withdrawAcknowledgementInput,
} from "@stashlight/contracts/alert";
import {
  annotationIdInput,
  createAnnotationInput,
  listAnnotationsInput,
} from "@stashlight/contracts/annotation";
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
import { createAnnotation, deleteAnnotation, listAnnotations } from "@stashlight/services/annotation";
import {
  createChannel,
  deleteChannel,
  listChannels,
  listDeniedChannels,
  testChannel,
  updateChannel,
} from "@stashlight/services/channel";
import {
  allowOutboundNetwork,
  listOutboundNetworks,
  removeOutboundNetwork,
} from "@stashlight/services/outbound";
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

export const annotationRouter = router({
  list: queryWith(listAnnotationsInput, listAnnotations),
  create: mutationWith(createAnnotationInput, createAnnotation),
  delete: mutationWith(annotationIdInput, deleteAnnotation),
});

export const channelRouter = router({
  list: query(listChannels),
  listDenied: query(listDeniedChannels),
  create: mutationWith(createChannelInput, createChannel),
  update: mutationWith(updateChannelInput, updateChannel),
  delete: mutationWith(channelIdInput, deleteChannel),
  test: mutationWith(channelIdInput, testChannel),
  listNetworks: query(listOutboundNetworks),
  allowNetwork: mutationWith(outboundNetworkInput, allowOutboundNetwork),
  removeNetwork: mutationWith(outboundNetworkInput, removeOutboundNetwork),
});
