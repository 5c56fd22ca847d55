import { StashlightError } from "@stashlight/contracts";
import { sealFinishedDays } from "../audit/seal.ts";
import { checkAuditChain } from "../audit/verify.ts";
import { staleAfterMs } from "../health/processes.ts";
import type { Platform } from "../platform.ts";
import { auditBrokenPrefix } from "./outcome.ts";

const dayMs = 86_400_000;
const linkRetentionMs = 90 * dayMs;
const runRetentionMs = 365 * dayMs;
const alertRetentionMs = 365 * dayMs;

/** Deletes what has expired, seals the audit log and checks it; fails loudly when its chain is broken. */
export async function runHousekeeping(platform: Platform): Promise<string> {
  const { db } = platform;
  const now = platform.now();
  const before = (ms: number) => ({ lt: new Date(now.getTime() - ms) });
  const sessions = await db.session.deleteMany({ where: { expiresAt: { lte: now } } });
  const verifications = await db.verification.deleteMany({ where: { expiresAt: { lte: now } } });
  const limits = await db.rateLimit.deleteMany({ where: { windowEndsAt: { lte: now } } });
  const links = await db.oneTimeLink.deleteMany({ where: { expiresAt: before(linkRetentionMs) } });
  const tokens = await db.enrolmentToken.deleteMany({ where: { expiresAt: before(linkRetentionMs) } });
  const runs = await db.scheduleRun.deleteMany({ where: { plannedAt: before(runRetentionMs) } });
  const alerts = await db.alertEvent.deleteMany({ where: { occurredAt: before(alertRetentionMs) } });
  const silences = await db.alertSilence.deleteMany({ where: { endsAt: before(alertRetentionMs) } });
  await db.processHeartbeat.deleteMany({ where: { seenAt: before(10 * staleAfterMs) } });
  const sealedDays = await db.$transaction((tx) => sealFinishedDays(tx, now));
  const verification = await checkAuditChain(platform);
  if (verification.state === "broken") {
    throw new StashlightError("precondition_failed", `${auditBrokenPrefix}: ${verification.sentence}`);
  }
  const deleted = [sessions, verifications, limits, links, tokens, runs, alerts, silences];
  const expired = deleted.reduce((sum, { count }) => sum + count, 0);
  return `Deleted ${expired} expired rows (${sessions.count} sessions), sealed ${sealedDays} days, verified ${verification.eventsChecked} audit events.`;
}
