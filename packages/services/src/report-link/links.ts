/**
 * Links to reports, each a document as it was when shared. Anyone who has the link can read the stored document and
 * nothing else; the token is in the fragment of the address, which browsers do not send, and only its hash is stored.
 */

import type { AuditAction } from "@stashlight/contracts/audit";
import { StashlightError } from "@stashlight/contracts/errors";
import type {
  listReportLinksInput,
  ReportKind,
  ReportLinkRow,
  revokeReportLinkInput,
} from "@stashlight/contracts/report-link";
import { DAY_MS } from "@stashlight/contracts/time";
import type { Prisma } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { hashToken, newId, newToken } from "../ids.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { statementsIn } from "../statements-in.ts";

const shownMax = 200;
const readRateLimit = { windowSeconds: 60, requestCountMax: 60 };

interface KindOfReport {
  /** Name of the report kind in the audit log. */
  readonly targetKind: string;
  /** Page of the console that reads the token from its fragment. */
  readonly path: string;
  readonly shared: AuditAction;
  readonly revoked: AuditAction;
}

const kinds: Readonly<Record<ReportKind, KindOfReport>> = {
  benchmark: {
    targetKind: "benchmark report",
    path: "/report",
    shared: "benchmark.report_shared",
    revoked: "benchmark.report_revoked",
  },
  plan: {
    targetKind: "plan report",
    path: "/plan",
    shared: "plan.report_shared",
    revoked: "plan.report_revoked",
  },
};

export interface NewReport {
  readonly title: string;
  readonly subjectName: string;
  readonly lifetimeDays: number;
  readonly document: Prisma.InputJsonObject;
  readonly createdAt: Date;
}

export interface IssuedReport {
  reportId: string;
  url: string;
  expiresAt: Date;
}

/** Issues a link to a report; only the caller learns its address. */
export async function issueReport(ctx: Context, kind: ReportKind, report: NewReport): Promise<IssuedReport> {
  const author = requireRole(ctx, "operator");
  const { targetKind, path, shared } = kinds[kind];
  const { title, subjectName, lifetimeDays, document, createdAt } = report;
  const token = newToken();
  const reportId = newId();
  const expiresAt = new Date(createdAt.getTime() + lifetimeDays * DAY_MS);
  await ctx.platform.db.$transaction(async (tx) => {
    await tx.reportLink.create({
      data: {
        id: reportId,
        kind,
        tokenHash: hashToken(token),
        title,
        subjectName,
        document,
        createdAt,
        createdById: author.userId,
        createdByName: author.name,
        expiresAt,
      },
    });
    await writeAudit(tx, ctx, {
      action: shared,
      target: { kind: targetKind, id: reportId, name: title },
      after: { plan: subjectName, expiresAt: expiresAt.toISOString() },
    });
  });
  return { reportId, url: `${ctx.platform.options.publicUrl}${path}#${token}`, expiresAt };
}

/** Lists issued links, newest first, without their addresses, which are no longer known. */
export async function listReportLinks({
  ctx,
  input: { kind },
}: Verb<typeof listReportLinksInput>): Promise<ReportLinkRow[]> {
  requireRole(ctx, "viewer");
  const now = ctx.platform.now();
  const reports = await ctx.platform.db.reportLink.findMany({
    where: { kind },
    orderBy: { createdAt: "desc" },
    take: shownMax,
    omit: { document: true, tokenHash: true },
  });
  return reports.map(({ id, title, subjectName, createdAt, createdByName, expiresAt, revokedAt }) => ({
    id,
    title,
    subjectName,
    createdAt,
    createdByName,
    expiresAt,
    revokedAt,
    isOpen: revokedAt === null && expiresAt > now,
  }));
}

export async function revokeReportLink({
  ctx,
  input: { kind, reportId },
}: Verb<typeof revokeReportLinkInput>): Promise<void> {
  const { name } = requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const where = { id: reportId, kind };
    const report = await tx.reportLink.findFirst({ where, select: { title: true } });
    if (report === null) throw new StashlightError("not_found", "There is no such report.");
    const { count } = await tx.reportLink.updateMany({
      where: { ...where, revokedAt: null },
      data: { revokedAt: ctx.platform.now(), revokedByName: name },
    });
    if (count === 0) return;
    await writeAudit(tx, ctx, {
      action: kinds[kind].revoked,
      target: { kind: kinds[kind].targetKind, id: reportId, name: report.title },
    });
  });
}

/** Serves everyone who has the link, signed in or not. Unknown, revoked and expired links get the same answer. */
export async function readReport<Document>(
  ctx: Context,
  kind: ReportKind,
  token: string,
  column: { read: (stored: unknown, row: string) => Document },
): Promise<Document & { createdAt: Date; expiresAt: Date }> {
  const { db, now } = ctx.platform;
  await enforceRateLimit(statementsIn(db), `report:${ctx.origin.ipAddress}`, readRateLimit, now());
  const report = await db.reportLink.findUnique({ where: { tokenHash: hashToken(token) } });
  if (report === null || report.kind !== kind || report.revokedAt !== null || report.expiresAt <= now()) {
    throw new StashlightError(
      "link_expired",
      "This report no longer exists, or its link was not copied whole. Ask the person who sent it for another.",
    );
  }
  const { id, document, createdAt, expiresAt } = report;
  return { ...column.read(document, id), createdAt, expiresAt };
}
