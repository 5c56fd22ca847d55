/**
 * Appends one event to the audit log, inside the transaction of the change it tells of: both happen or neither.
 * Writers take turns on an advisory lock until they commit, so write the event last in a transaction.
 */
import type { AuditDetails } from "@stashlight/contracts/audit";
import type { AuditAction } from "@stashlight/contracts/audit/actions";
import type { Role } from "@stashlight/contracts/user/roles";
import { Prisma, type Transaction } from "@stashlight/db";
import type { Context } from "../context.ts";
import type { Core } from "../core.ts";
import { storableText } from "../text.ts";
import { type ChainedEvent, genesisHash, hashEvent } from "./chain.ts";
import { redactSecrets } from "./redact.ts";

export interface AuditEntry {
  action: AuditAction;
  /** Who acted, when it is not the signed-in person: "set-up link", "worker", or an address that failed to sign in. */
  actor?: { id: string | null; name: string; role: Role | null };
  target?: { kind: string; id: string; name: string };
  before?: AuditDetails;
  after?: AuditDetails;
}

const auditLockKey = 8319395793566789735n;
const textLengthMax = 400;

export async function writeAudit(
  tx: Transaction,
  ctx: Context<Pick<Core, "now">>,
  entry: AuditEntry,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${auditLockKey})`;
  const last = await tx.auditEvent.findFirst({
    orderBy: { sequence: "desc" },
    select: { sequence: true, hash: true },
  });
  const actor = entry.actor ?? actorOf(ctx);
  const event: ChainedEvent = {
    sequence: Number(last?.sequence ?? 0n) + 1,
    occurredAt: ctx.platform.now(),
    actorId: actor.id,
    actorName: storableText(actor.name, textLengthMax),
    actorRole: actor.role,
    ipAddress: storableText(ctx.origin.ipAddress, textLengthMax),
    userAgent: storableText(ctx.origin.userAgent, textLengthMax),
    action: entry.action,
    targetKind: entry.target?.kind ?? null,
    targetId: entry.target?.id ?? null,
    targetName: entry.target === undefined ? null : storableText(entry.target.name, textLengthMax),
    before: entry.before === undefined ? null : redactSecrets(entry.before),
    after: entry.after === undefined ? null : redactSecrets(entry.after),
  };
  const previousHash = last?.hash ?? genesisHash;
  await tx.auditEvent.create({
    data: {
      ...event,
      sequence: BigInt(event.sequence),
      actorRole: actor.role,
      before: event.before ?? Prisma.DbNull,
      after: event.after ?? Prisma.DbNull,
      previousHash,
      hash: hashEvent(previousHash, event),
    },
  });
}

function actorOf(ctx: Context<unknown>): NonNullable<AuditEntry["actor"]> {
  if (ctx.principal === null) return { id: null, name: "nobody", role: null };
  return { id: ctx.principal.userId, name: ctx.principal.name, role: ctx.principal.role };
}
