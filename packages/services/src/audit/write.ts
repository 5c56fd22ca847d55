/**
 * Appends an event to the audit log, in the transaction of the change that it records: both happen or neither. Writers
 * hold an advisory lock until they commit, so the event should be the last write of a transaction.
 */
import type { AuditAction, AuditDetails } from "@stashlight/contracts/audit";
import type { Role } from "@stashlight/contracts/user";
import type { Transaction } from "@stashlight/db";
import type { Base } from "../base.ts";
import type { Context } from "../context.ts";
import type { Statements } from "../statements.ts";
import { statementsIn } from "../statements-in.ts";
import { storableText } from "../storable-text.ts";
import { type ChainedEvent, genesisHash, hashEvent } from "./chain.ts";
import { redactSecrets } from "./redact.ts";

export interface AuditEntry {
  action: AuditAction;
  /** The actor, if not the signed-in user: "set-up link", "worker", or an address that failed to sign in. */
  actor?: { id: string | null; name: string; role: Role | null };
  target?: { kind: string; id: string; name: string };
  before?: AuditDetails;
  after?: AuditDetails;
}

const auditLockKey = "8319395793566789735";
const textLengthMax = 400;

export const writeAudit = (
  tx: Pick<Transaction, "$queryRawUnsafe">,
  ctx: Context<Pick<Base, "now">>,
  entry: AuditEntry,
): Promise<void> => appendAudit(statementsIn(tx), ctx, entry);

/** Appends an event as `writeAudit` does, in a transaction without the ORM. */
export async function appendAudit(
  tx: Statements,
  ctx: Context<Pick<Base, "now">>,
  entry: AuditEntry,
): Promise<void> {
  // Cast to text, because the ORM cannot read a result of type void.
  await tx.query("SELECT pg_advisory_xact_lock($1::bigint)::text", [auditLockKey]);
  const [last] = await tx.query<{ sequence: bigint | string; hash: string }>(
    "SELECT sequence, hash FROM audit_event ORDER BY sequence DESC LIMIT 1",
    [],
  );
  const actor = entry.actor ?? auditActor(ctx);
  const event: ChainedEvent = {
    sequence: Number(last?.sequence ?? 0) + 1,
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
  await tx.query(insertSql, [
    String(event.sequence),
    event.occurredAt.toISOString(),
    event.actorId,
    event.actorName,
    event.actorRole,
    event.ipAddress,
    event.userAgent,
    event.action,
    event.targetKind,
    event.targetId,
    event.targetName,
    event.before === null ? null : JSON.stringify(event.before),
    event.after === null ? null : JSON.stringify(event.after),
    previousHash,
    hashEvent(previousHash, event),
  ]);
}

const insertSql = `
  INSERT INTO audit_event (sequence, occurred_at, actor_id, actor_name, actor_role, ip_address, user_agent, action,
                           target_kind, target_id, target_name, before, after, previous_hash, hash)
  VALUES ($1::bigint, $2::timestamptz, $3::text, $4::text, $5::role, $6::text, $7::text, $8::text,
          $9::text, $10::text, $11::text, $12::jsonb, $13::jsonb, $14::bpchar, $15::bpchar)`;

function auditActor(ctx: Context<unknown>): NonNullable<AuditEntry["actor"]> {
  if (ctx.principal === null) return { id: null, name: "nobody", role: null };
  return { id: ctx.principal.userId, name: ctx.principal.name, role: ctx.principal.role };
}
