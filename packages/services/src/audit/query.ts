import type { AuditAction, AuditDetails, AuditFilter, AuditRow } from "@stashlight/contracts";
import type { Prisma } from "@stashlight/db";

export function auditWhere(filter: AuditFilter, beforeSequence?: number): Prisma.AuditEventWhereInput {
  const text = filter.text ?? "";
  // Prisma passes LIKE's own signs on; a person who looks for "50%" means just that.
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
  return {
    ...rest,
    sequence: Number(event.sequence),
    action: event.action as AuditAction,
    before: event.before as AuditDetails | null,
    after: event.after as AuditDetails | null,
  };
}
