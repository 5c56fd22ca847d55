import type { AuditFilter, AuditRow } from "@stashlight/contracts/audit";
import type { Prisma } from "@stashlight/db";
import { auditEventColumns } from "@stashlight/db/columns/audit";

export function auditWhere(filter: AuditFilter, beforeSequence?: number): Prisma.AuditEventWhereInput {
  const text = filter.text ?? "";
  // Prisma passes LIKE wildcards through, but a user who searches for "50%" means the literal text.
  const contains = { contains: text.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" as const };
  return {
    occurredAt: { gte: new Date(filter.fromMs), lt: new Date(filter.toMs) },
    ...(beforeSequence === undefined ? {} : { sequence: { lt: BigInt(beforeSequence) } }),
    ...(filter.action === undefined ? {} : { action: filter.action }),
    ...(filter.actorId === undefined ? {} : { actorId: filter.actorId }),
    ...(text === ""
      ? {}
      : { OR: [{ actorName: contains }, { targetName: contains }, { ipAddress: contains }] }),
  };
}

type StoredEvent = Prisma.AuditEventGetPayload<object>;

export function toAuditRow(event: StoredEvent): AuditRow {
  const { previousHash: _, ...rest } = event;
  const row = `${event.sequence}`;
  return {
    ...rest,
    sequence: Number(event.sequence),
    action: auditEventColumns.action.read(event.action, row),
    before: auditEventColumns.before.readOrNull(event.before, row),
    after: auditEventColumns.after.readOrNull(event.after, row),
  };
}
