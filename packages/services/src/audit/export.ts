/** Exports the audit log as a file, page by page, so that memory does not grow with the log. */
import { type AuditRow, auditActions, type exportAuditInput } from "@stashlight/contracts/audit";
import { csvField } from "@stashlight/contracts/escape";
import { requireRole, type Verb } from "../context.ts";
import { auditWhere, toAuditRow } from "./query.ts";
import { writeAudit } from "./write.ts";

const pageSize = 1_000;

const columns: [string, (row: AuditRow) => string | number | null][] = [
  ["sequence", (row) => row.sequence],
  ["occurred_at", (row) => row.occurredAt.toISOString()],
  ["actor_id", (row) => row.actorId],
  ["actor_name", (row) => row.actorName],
  ["actor_role", (row) => row.actorRole],
  ["ip_address", (row) => row.ipAddress],
  ["user_agent", (row) => row.userAgent],
  ["action", (row) => row.action],
  ["action_text", (row) => auditActions[row.action] ?? row.action],
  ["target_kind", (row) => row.targetKind],
  ["target_id", (row) => row.targetId],
  ["target_name", (row) => row.targetName],
  ["before", (row) => (row.before === null ? null : JSON.stringify(row.before))],
  ["after", (row) => (row.after === null ? null : JSON.stringify(row.after))],
  ["hash", (row) => row.hash],
];

export interface AuditExport {
  fileName: string;
  contentType: string;
  chunks: AsyncGenerator<string>;
}

/**
 * Exports oldest first, so that the hashes can be followed. The export itself is an event, written before the first
 * byte.
 */
export async function exportAudit({ ctx, input }: Verb<typeof exportAuditInput>): Promise<AuditExport> {
  requireRole(ctx, "admin");
  const { format, ...filter } = input;
  await ctx.platform.db.$transaction((tx) =>
    writeAudit(tx, ctx, { action: "audit.exported", after: { ...input } }),
  );
  const day = ctx.platform.now().toISOString().slice(0, 10);
  const pages = readPages({ ctx, input: filter });
  return {
    fileName: `stashlight-audit-${day}.${format}`,
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/json",
    chunks: format === "csv" ? toCsv(pages) : toJson(pages),
  };
}

async function* readPages({
  ctx,
  input,
}: Verb<Parameters<typeof auditWhere>[0]>): AsyncGenerator<AuditRow[]> {
  let afterSequence = 0n;
  for (;;) {
    const events = await ctx.platform.db.auditEvent.findMany({
      where: { ...auditWhere(input), sequence: { gt: afterSequence } },
      orderBy: { sequence: "asc" },
      take: pageSize,
    });
    const last = events.at(-1);
    if (last === undefined) return;
    yield events.map(toAuditRow);
    afterSequence = last.sequence;
  }
}

async function* toCsv(pages: AsyncGenerator<AuditRow[]>): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(",")}\r\n`;
  for await (const rows of pages) {
    yield rows.map((row) => `${columns.map(([, read]) => csvField(read(row))).join(",")}\r\n`).join("");
  }
}

async function* toJson(pages: AsyncGenerator<AuditRow[]>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const rows of pages) {
    for (const row of rows) {
      yield `${separator}${JSON.stringify(row)}`;
      separator = ",\n";
    }
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}
