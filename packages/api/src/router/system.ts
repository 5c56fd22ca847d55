import { listAuditInput } from "@stashlight/contracts/audit";
import { listRunsInput, pauseScheduleInput, scheduleIdInput } from "@stashlight/contracts/schedule";
import { searchInput } from "@stashlight/contracts/search";
import { listAudit, verifyAudit } from "@stashlight/services/audit";
import { readHealth, readOutgrown, readTelemetryHealth } from "@stashlight/services/health";
import { listRuns, listSchedules, pauseSchedule, runScheduleNow } from "@stashlight/services/schedule";
import { findByName } from "@stashlight/services/search";
import { mutation, mutationWith, query, queryWith, router } from "../trpc.ts";

export const healthRouter = router({
  read: query(readHealth),
  outgrown: query(readOutgrown),
  telemetry: query(readTelemetryHealth),
});

export const auditRouter = router({
  list: queryWith(listAuditInput, listAudit),
  verify: mutation(verifyAudit),
});

export const scheduleRouter = router({
  list: query(listSchedules),
  listRuns: queryWith(listRunsInput, listRuns),
  runNow: mutationWith(scheduleIdInput, runScheduleNow),
  pause: mutationWith(pauseScheduleInput, pauseSchedule),
});

export const searchRouter = router({ find: queryWith(searchInput, findByName) });
