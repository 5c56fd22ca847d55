import { StashlightError } from "@stashlight/contracts/errors";
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import { sealFinishedDays } from "../audit/seal.ts";
import { sealFilePath, writeSeal } from "../audit/seal-file.ts";
import { checkAuditChain } from "../audit/verify.ts";
import { readHead } from "../audit/witness.ts";
import type { Core } from "../core.ts";
import { staleAfterMs } from "../process/heartbeat.ts";
import { thrownMessage } from "../thrown.ts";
import { auditBrokenPrefix } from "./outcome.ts";
import { routineRuns } from "./routine-runs.ts";

const linkRetentionMs = 90 * DAY_MS;
const runRetentionMs = 365 * DAY_MS;
/** Short, because there are 1,440 per day. */
const routineRunRetentionMs = 7 * DAY_MS;
/** Short, because object names are private. */
const objectQuestionRetentionMs = HOUR_MS;
const bucketQuestionRetentionMs = HOUR_MS;
const lifecycleDeletionRetentionMs = 90 * DAY_MS;
const lostObjectRetentionMs = DAY_MS;
const alertRetentionMs = 365 * DAY_MS;

/** Deletes expired data, seals the audit log, verifies it and records its head; fails if the log is broken. */
export async function runHousekeeping(platform: Core): Promise<string> {
  const { db } = platform;
  const now = platform.now();
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms) });
  const sessions = await db.session.deleteMany({ where: { expiresAt: { lte: now } } });
  const verifications = await db.verification.deleteMany({ where: { expiresAt: { lte: now } } });
  const limits = await db.rateLimit.deleteMany({ where: { windowEndsAt: { lte: now } } });
  const links = await db.oneTimeLink.deleteMany({ where: { expiresAt: before(linkRetentionMs) } });
  const tokens = await db.enrolmentToken.deleteMany({ where: { expiresAt: before(linkRetentionMs) } });
  const apiTokens = await db.apiToken.deleteMany({ where: { expiresAt: before(linkRetentionMs) } });
  const runIsOver = [
    { plannedAt: before(runRetentionMs) },
    { ...routineRuns, plannedAt: before(routineRunRetentionMs) },
  ];
  const runs = await db.scheduleRun.deleteMany({ where: { OR: runIsOver } });
  const alerts = await db.alertEvent.deleteMany({ where: { occurredAt: before(alertRetentionMs) } });
  const incidents = await db.alertIncident.deleteMany({ where: { endedAt: before(alertRetentionMs) } });
  const silenceIsOver = [
    { isWeekly: false, endsAt: before(alertRetentionMs) },
    { endedAt: before(alertRetentionMs) },
  ];
  const silences = await db.alertSilence.deleteMany({ where: { OR: silenceIsOver } });
  const annotations = await db.annotation.deleteMany({ where: { startsAt: before(alertRetentionMs) } });
  const reports = await db.weeklyReport.deleteMany({ where: { createdAt: before(alertRetentionMs) } });
  await db.objectQuestion.deleteMany({ where: { askedAt: before(objectQuestionRetentionMs) } });
  await db.bucketQuestion.deleteMany({ where: { askedAt: before(bucketQuestionRetentionMs) } });
  await db.lifecycleDeletion.deleteMany({ where: { at: before(lifecycleDeletionRetentionMs) } });
  await db.lostObjectReport.deleteMany({ where: { reportedAt: before(lostObjectRetentionMs) } });
  await db.processHeartbeat.deleteMany({ where: { seenAt: before(10 * staleAfterMs) } });
  const sealedDays = await db.$transaction((tx) => sealFinishedDays(tx, now));
  const verification = await checkAuditChain(platform);
  if (verification.state === "broken") {
    throw new StashlightError("precondition_failed", `${auditBrokenPrefix}: ${verification.sentence}`);
  }
  const sealFile = await exportHead(platform, now);
  const deleted = [
    ...[sessions, verifications, limits, links, tokens, apiTokens],
    ...[runs, alerts, incidents, silences, annotations, reports],
  ];
  const expired = deleted.reduce((sum, { count }) => sum + count, 0);
  return `Deleted ${expired} expired rows (${sessions.count} sessions), sealed ${sealedDays} days, verified ${verification.eventsChecked} audit events${sealFile}.`;
}

/** Called only after a successful verification. An unwritable disk does not mean that the log is broken. */
async function exportHead(platform: Core, now: Date): Promise<string> {
  if (sealFilePath(platform) === null) return "";
  const head = await readHead(platform.db);
  if (head === null) return "";
  try {
    return (await writeSeal(platform, head, now)) ? ", wrote the seal file" : "";
  } catch (error) {
    return `, could not write the seal file (${thrownMessage(error)})`;
  }
}
