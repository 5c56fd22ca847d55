/** What the product does. Each verb takes `{ ctx, input }`, checks the role itself and throws StashlightError. */
export { changePassword } from "./account/change-password.ts";
export { endSession } from "./account/end-session.ts";
export { type AccountSettings, getSettings } from "./account/get-settings.ts";
export { confirmTotp, disableTotp, renewBackupCodes, startTotp, type TotpSetup } from "./account/totp.ts";
export { updateProfile } from "./account/update-profile.ts";
export { ensureAlertRules } from "./alert/built-in.ts";
export { createAlertRule } from "./alert/create-rule.ts";
export { deleteAlertRule } from "./alert/delete-rule.ts";
export { enableAlertRule } from "./alert/enable-rule.ts";
export { endSilence } from "./alert/end-silence.ts";
export { evaluateDueRules } from "./alert/evaluate-due.ts";
export { listAlertEvents } from "./alert/list-events.ts";
export { listFiring } from "./alert/list-firing.ts";
export { getAlertRule, listAlertRules } from "./alert/list-rules.ts";
export { listSilences } from "./alert/list-silences.ts";
export { previewAlertRule } from "./alert/preview.ts";
export { silenceAlerts } from "./alert/silence.ts";
export { updateAlertRule } from "./alert/update-rule.ts";
export { type AuditExport, exportAudit } from "./audit/export.ts";
export { listAudit } from "./audit/list.ts";
export { verifyAudit } from "./audit/verify.ts";
export { handleAuth } from "./auth/handler.ts";
export type { OidcOptions } from "./auth/options.ts";
export { resolvePrincipal } from "./auth/principal.ts";
export { cancelBenchmarkSlot } from "./benchmark/cancel-slot.ts";
export { createBenchmarkPlan } from "./benchmark/create-plan.ts";
export { deleteBenchmarkPlan } from "./benchmark/delete-plan.ts";
export { ensureLocalBenchmark } from "./benchmark/ensure-local.ts";
export { getBenchmarkRun } from "./benchmark/get-run.ts";
export { getBenchmarkSamples } from "./benchmark/get-samples.ts";
export { listBenchmarkMethods } from "./benchmark/list-methods.ts";
export { getBenchmarkPlan, listBenchmarkPlans } from "./benchmark/list-plans.ts";
export { listBenchmarkSlots } from "./benchmark/list-slots.ts";
export { pauseBenchmarkPlan, resumeBenchmarkPlan } from "./benchmark/pause-plan.ts";
export { previewBenchmarkPlan } from "./benchmark/preview-plan.ts";
export { claimProbeJob } from "./benchmark/probe/claim-job.ts";
export { recordProbeReport } from "./benchmark/probe/record-report.ts";
export { runBenchmarkPlanNow } from "./benchmark/run-plan-now.ts";
export { type ClaimedSlot, type ClaimOptions, claimSlot } from "./benchmark/slot/claim.ts";
export { cleanLeftovers } from "./benchmark/slot/clean.ts";
export { type ExecuteOptions, executeSlot } from "./benchmark/slot/execute.ts";
export { recoverLostSlots } from "./benchmark/slot/interrupt.ts";
export { localRunner, type Runner } from "./benchmark/slot/runner.ts";
export { updateBenchmarkPlan } from "./benchmark/update-plan.ts";
export { listVantages } from "./benchmark/vantage.ts";
export { compareBenchmark } from "./benchmark-result/compare.ts";
export { type ExportedBenchmarkRun, exportBenchmarkRun } from "./benchmark-result/export-run.ts";
export { findBenchmarkChanges } from "./benchmark-result/find-changes.ts";
export { getBenchmarkHistory } from "./benchmark-result/get-history.ts";
export { getLatencyBySize } from "./benchmark-result/get-latency-by-size.ts";
export { getBenchmarkOmission } from "./benchmark-result/get-omission.ts";
export { importBenchmarkRun } from "./benchmark-result/import-run.ts";
export { deleteImportedRun, listImportedRuns } from "./benchmark-result/imported-runs.ts";
export { judgeBenchmarkWatches } from "./benchmark-result/judge-watches.ts";
export { listLatestVerdicts } from "./benchmark-result/latest-verdicts.ts";
export { listBenchmarkSubjects } from "./benchmark-result/list-subjects.ts";
export {
  createBenchmarkReport,
  listBenchmarkReports,
  readBenchmarkReport,
  revokeBenchmarkReport,
} from "./benchmark-result/reports.ts";
export { compareBenchmarkRuns } from "./benchmark-result/unpaired.ts";
export {
  listBenchmarkWatches,
  removeBenchmarkWatch,
  setBenchmarkWatch,
} from "./benchmark-result/watches.ts";
export { createChannel } from "./channel/create.ts";
export { deleteChannel } from "./channel/delete.ts";
export { deliverAlerts } from "./channel/deliver.ts";
export { listChannels } from "./channel/list.ts";
export { testChannel } from "./channel/test-message.ts";
export { updateChannel } from "./channel/update.ts";
export { clientAddress, trustedProxies } from "./client-address.ts";
export { type Context, type RequestOrigin, requireRole } from "./context.ts";
export { isDatabaseUnavailable } from "./database-error.ts";
export { checkEndpoint } from "./endpoint/check.ts";
export { createEndpoint } from "./endpoint/create.ts";
export { deleteEndpoint } from "./endpoint/delete.ts";
export { listEndpoints } from "./endpoint/list.ts";
export { rotateEndpointCredentials } from "./endpoint/rotate-credentials.ts";
export { updateEndpoint } from "./endpoint/update.ts";
export { latestFsyncProbe } from "./fsync-probe/latest.ts";
export { listFsyncProbes } from "./fsync-probe/list.ts";
export { requestFsyncProbe } from "./fsync-probe/request.ts";
export { type Heartbeat, startHeartbeat } from "./health/processes.ts";
export { readHealth } from "./health/read.ts";
export { readTelemetryHealth } from "./health/telemetry.ts";
export { productVersion } from "./health/version.ts";
export { describeLink } from "./link/describe.ts";
export { type AcceptBatchesOptions, acceptBatches, type ReceivedBatch } from "./metrics/accept-batches.ts";
export { queryHeatmap } from "./metrics/heatmap.ts";
export { prepareMetricStore, runMetricKeeper } from "./metrics/keep.ts";
export { readMeasuredSinceMs } from "./metrics/measured-since.ts";
export { queryMetric } from "./metrics/query.ts";
export { runRollUp } from "./metrics/roll-up.ts";
export { findStalls } from "./metrics/stalls.ts";
export { approveNode } from "./node/approve.ts";
export { authenticateNode, createNodeAuthenticator, type NodeAuthenticator } from "./node/authenticate.ts";
export { createEnrolmentToken } from "./node/create-token.ts";
export { enrolNode } from "./node/enrol.ts";
export {
  type EnsureLocalNodesOptions,
  ensureLocalNodes,
  ensureSimulatedNodes,
  type InstallationAccess,
  type LocalEnrolment,
  type LocalNode,
  type LocalVault,
} from "./node/ensure-local.ts";
export { forgetSimulatedNodes } from "./node/forget-simulated.ts";
export { getNode } from "./node/get.ts";
export { type NodeHeartbeats, type NodeSighting, startNodeHeartbeats } from "./node/heartbeats.ts";
export { listNodes } from "./node/list.ts";
export { listEnrolmentTokens } from "./node/list-tokens.ts";
export { noteRefusedValues, type RefusedValue } from "./node/note-refused.ts";
export { revokeNode } from "./node/revoke.ts";
export { revokeEnrolmentToken } from "./node/revoke-token.ts";
export { rotateNodeKey } from "./node/rotate-key.ts";
export {
  allowOutboundNetwork,
  denyOutboundNetwork,
  listOutboundNetworks,
} from "./outbound/networks.ts";
export { createScenario } from "./planner/create-scenario.ts";
export { deleteScenario } from "./planner/delete-scenario.ts";
export { getScenario, listScenarios } from "./planner/list-scenarios.ts";
export { liveInputs } from "./planner/live-inputs.ts";
export { renameScenario } from "./planner/rename-scenario.ts";
export { listPlanReports, readPlanReport, revokePlanReport, sharePlan } from "./planner/reports.ts";
export { setDefaultScenario } from "./planner/set-default-scenario.ts";
export { updateScenario } from "./planner/update-scenario.ts";
export { openPlatform, type Platform, type PlatformOptions } from "./platform.ts";
export { ensureSchedules } from "./schedule/ensure.ts";
export { listSchedules } from "./schedule/list.ts";
export { listRuns } from "./schedule/list-runs.ts";
export { pauseSchedule, resumeSchedule } from "./schedule/pause.ts";
export { planDueRuns } from "./schedule/plan-due.ts";
export { openRunQueue, type RunQueue } from "./schedule/queue.ts";
export { runScheduleNow } from "./schedule/run-now.ts";
export { completeSetup } from "./setup/complete.ts";
export { openSetup } from "./setup/open.ts";
export { recoverUser } from "./setup/recover.ts";
export { cancelSimulation } from "./simulation/cancel.ts";
export { deleteSimulation } from "./simulation/delete.ts";
export { getSimulation, type SimulationDetail } from "./simulation/get.ts";
export { listSimulations } from "./simulation/list.ts";
export { readLiveVault } from "./simulation/read-live-vault.ts";
export { type Simulator, threadSimulator } from "./simulation/runner.ts";
export { startSimulation } from "./simulation/start.ts";
export { simulationTurn } from "./simulation/turn.ts";
export { type AcceptTracesOptions, acceptTraces, TRACE_METRIC } from "./trace/accept.ts";
export { getTrace } from "./trace/get.ts";
export { listTraces } from "./trace/list.ts";
export { acceptInvitation } from "./user/accept-invitation.ts";
export { changeRole } from "./user/change-role.ts";
export { disableUser } from "./user/disable.ts";
export { disableUserTwoFactor } from "./user/disable-two-factor.ts";
export { enableUser } from "./user/enable.ts";
export { endUserSessions } from "./user/end-sessions.ts";
export { inviteUser } from "./user/invite.ts";
export { issuePasswordLink } from "./user/issue-password-link.ts";
export { listUsers } from "./user/list.ts";
export { listInvitations } from "./user/list-invitations.ts";
export { resetPassword } from "./user/reset-password.ts";
export { revokeInvitation } from "./user/revoke-invitation.ts";
