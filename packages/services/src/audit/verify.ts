import type { AuditVerification } from "@stashlight/contracts";
import type { Database } from "@stashlight/db";
import { type Context, requireRole } from "../context.ts";
import type { Platform } from "../platform.ts";
import { genesisHash, hashEvent, hashSeal, utcDay } from "./chain.ts";
import { toAuditRow } from "./query.ts";
import { writeAudit } from "./write.ts";

const pageSize = 1_000;

/** Recomputes the whole chain for an admin; that they did is itself an event. */
export async function verifyAudit({ ctx }: { ctx: Context }): Promise<AuditVerification> {
  requireRole(ctx, "admin");
  const verification = await checkAuditChain(ctx.platform);
  await ctx.platform.db.$transaction((tx) =>
    writeAudit(tx, ctx, {
      action: "audit.verified",
      after: { state: verification.state, eventsChecked: verification.eventsChecked },
    }),
  );
  return verification;
}

interface Finding {
  eventsChecked: number;
  sealedDays: number;
  broken: { sequence: number; sentence: string } | null;
}

/** Reads every event in order and compares each hash, each gap and each seal with what they must be. */
export async function checkAuditChain(platform: Pick<Platform, "db" | "now">): Promise<AuditVerification> {
  const startedAtMs = performance.now();
  const { eventsChecked, sealedDays, broken } = await walk(platform.db);
  return {
    state: broken === null ? "intact" : "broken",
    sentence:
      broken?.sentence ??
      `Every event follows from the one before it: ${eventsChecked} events, ${sealedDays} sealed days.`,
    eventsChecked,
    sealedDays,
    brokenAtSequence: broken?.sequence ?? null,
    checkedAt: platform.now(),
    durationMs: performance.now() - startedAtMs,
  };
}

async function walk(db: Database): Promise<Finding> {
  const seals = await db.auditSeal.findMany({ orderBy: { firstSequence: "asc" } });
  const sealedHashes = new Map(seals.map((seal) => [Number(seal.lastSequence), seal.lastHash]));
  let previousHash = genesisHash;
  let sequence = 0;
  const brokenAt = (at: number, why: string): Finding => ({
    eventsChecked: sequence,
    sealedDays: seals.length,
    broken: { sequence: at, sentence: `Event ${at} ${why}; somebody changed the log outside Stashlight.` },
  });
  for (;;) {
    const events = await db.auditEvent.findMany({
      where: { sequence: { gt: BigInt(sequence) } },
      orderBy: { sequence: "asc" },
      take: pageSize,
    });
    if (events.length === 0) break;
    for (const event of events) {
      const found = Number(event.sequence);
      if (found !== sequence + 1) return brokenAt(sequence + 1, "is missing");
      const { hash, ...row } = toAuditRow(event);
      if (event.previousHash !== previousHash || hashEvent(previousHash, row) !== hash) {
        return brokenAt(found, "is not what was written");
      }
      const sealed = sealedHashes.get(found);
      if (sealed !== undefined && sealed !== hash)
        return brokenAt(found, "does not agree with its day's seal");
      previousHash = hash;
      sequence = found;
    }
  }
  const lastSealed = Number(seals.at(-1)?.lastSequence ?? 0n);
  if (lastSealed > sequence) return brokenAt(sequence + 1, "and what follows was sealed and is missing");
  return checkSeals(seals) ?? { eventsChecked: sequence, sealedDays: seals.length, broken: null };
}

type StoredSeal = Awaited<ReturnType<Database["auditSeal"]["findMany"]>>[number];

/** The seals form a chain of their own; null when it holds. */
function checkSeals(seals: StoredSeal[]): Finding | null {
  let previousHash = genesisHash;
  let nextSequence = 1;
  for (const seal of seals) {
    const described = {
      day: utcDay(seal.day),
      firstSequence: Number(seal.firstSequence),
      lastSequence: Number(seal.lastSequence),
      eventCount: seal.eventCount,
      lastHash: seal.lastHash,
    };
    const holds =
      seal.previousHash === previousHash &&
      described.firstSequence === nextSequence &&
      described.eventCount === described.lastSequence - described.firstSequence + 1 &&
      hashSeal(previousHash, described) === seal.hash;
    if (!holds) {
      const sentence = `The seal of ${described.day} is not what was written; somebody changed the log outside Stashlight.`;
      return {
        eventsChecked: nextSequence - 1,
        sealedDays: seals.length,
        broken: { sequence: nextSequence, sentence },
      };
    }
    previousHash = seal.hash;
    nextSequence = described.lastSequence + 1;
  }
  return null;
}
