/**
 * Reports: figures as they were when somebody decided to show them. Whoever has the link reads the stored document and
 * nothing else; the token is in the fragment of the address, which browsers do not send, and only its hash is kept.
 */
import {
  type BenchmarkReportDocument,
  type BenchmarkReportRow,
  type createBenchmarkReportInput,
  StashlightError,
} from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { titleOf } from "../benchmark/method.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { hashToken, newId, newToken } from "../ids.ts";
import { enforceRateLimit } from "../rate-limit/consume.ts";
import { compareFigures } from "./compare.ts";
import { readFigures } from "./figures.ts";
import { findPlanOfResults } from "./find.ts";
import { changesOf } from "./find-changes.ts";
import { toHistory } from "./to-history.ts";

const dayMs = 86_400_000;
const historyPointCountMax = 400;
const shownMax = 200;
const readRateLimit = { windowSeconds: 60, requestCountMax: 60 };

/** Computes the comparison and keeps it; the address is known only to the caller, this once. */
export async function createBenchmarkReport({
  ctx,
  input,
}: Verb<z.output<typeof createBenchmarkReportInput>>): Promise<{
  reportId: string;
  url: string;
  expiresAt: Date;
}> {
  const author = requireRole(ctx, "operator");
  const { platform } = ctx;
  const { title, lifetimeDays, ...question } = input;
  const plan = await findPlanOfResults(platform.db, question.planId);
  const comparison = await compareFigures(platform, question);
  const figures = await readFigures(platform, question, [question.endpointAId, question.endpointBId]);
  const now = platform.now();
  const document: BenchmarkReportDocument = {
    title,
    createdAt: now,
    comparison,
    history: toHistory({ ...question, figures, pointCountMax: historyPointCountMax, events: [] }),
    changes: await changesOf(platform, figures),
    method: { title: titleOf(plan.method), parameters: plan.method.parameters },
  };
  const token = newToken();
  const reportId = newId();
  const expiresAt = new Date(now.getTime() + lifetimeDays * dayMs);
  await platform.db.$transaction(async (tx) => {
    await tx.benchmarkReportLink.create({
      data: {
        id: reportId,
        tokenHash: hashToken(token),
        title,
        planName: plan.name,
        document: JSON.parse(JSON.stringify(document)) as Prisma.InputJsonObject,
        createdAt: now,
        createdById: author.userId,
        createdByName: author.name,
        expiresAt,
      },
    });
    await writeAudit(tx, ctx, {
      action: "benchmark.report_shared",
      target: { kind: "benchmark report", id: reportId, name: title },
      after: { plan: plan.name, expiresAt: expiresAt.toISOString() },
    });
  });
  return { reportId, url: `${platform.options.publicUrl}/report#${token}`, expiresAt };
}

/** Links that were given out, newest first; the addresses themselves are not known any more. */
export async function listBenchmarkReports({ ctx }: { ctx: Context }): Promise<BenchmarkReportRow[]> {
  requireRole(ctx, "viewer");
  const now = ctx.platform.now();
  const reports = await ctx.platform.db.benchmarkReportLink.findMany({
    orderBy: { createdAt: "desc" },
    take: shownMax,
    omit: { document: true, tokenHash: true },
  });
  return reports.map(({ id, title, planName, createdAt, createdByName, expiresAt, revokedAt }) => ({
    id,
    title,
    planName,
    createdAt,
    createdByName,
    expiresAt,
    revokedAt,
    isOpen: revokedAt === null && expiresAt > now,
  }));
}

export async function revokeBenchmarkReport({ ctx, input }: Verb<{ reportId: string }>): Promise<void> {
  const { name } = requireRole(ctx, "operator");
  await ctx.platform.db.$transaction(async (tx) => {
    const report = await tx.benchmarkReportLink.findUnique({
      where: { id: input.reportId },
      select: { title: true },
    });
    if (report === null) throw new StashlightError("not_found", "There is no such report.");
    const { count } = await tx.benchmarkReportLink.updateMany({
      where: { id: input.reportId, revokedAt: null },
      data: { revokedAt: ctx.platform.now(), revokedByName: name },
    });
    if (count === 0) return;
    await writeAudit(tx, ctx, {
      action: "benchmark.report_revoked",
      target: { kind: "benchmark report", id: input.reportId, name: report.title },
    });
  });
}

/** For whoever holds the link, signed in or not. Unknown, revoked and expired links get the same answer. */
export async function readBenchmarkReport({
  ctx,
  input,
}: Verb<{ token: string }>): Promise<BenchmarkReportDocument & { expiresAt: Date }> {
  const { db, now } = ctx.platform;
  await enforceRateLimit(db, `report:${ctx.origin.ipAddress}`, readRateLimit, now());
  const report = await db.benchmarkReportLink.findUnique({ where: { tokenHash: hashToken(input.token) } });
  if (report === null || report.revokedAt !== null || report.expiresAt <= now()) {
    throw new StashlightError(
      "link_expired",
      "This report is not there any more, or its link was not copied whole. Ask the person who sent it for another.",
    );
  }
  const document = report.document as unknown as BenchmarkReportDocument;
  const { comparison } = document;
  return {
    ...document,
    createdAt: report.createdAt,
    comparison: { ...comparison, computedAt: new Date(comparison.computedAt) },
    expiresAt: report.expiresAt,
  };
}
