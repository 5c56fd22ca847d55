import type { AuditVerification } from "@stashlight/contracts/audit";
import type { Database } from "@stashlight/db";
import { type Context, requireRole } from "../context.ts";
import type { Core } from "../core.ts";
import { genesisHash, hashEvent, hashSeal, utcDay } from "./chain.ts";
import { toAuditRow } from "./query.ts";
import { readSealFile } from "./seal-file.ts";
import { readHead, type Witness } from "./witness.ts";
import { writeAudit } from "./write.ts";

const pageSize = 1_000;
const changed = "the log was changed outside Stashlight";
const restored = `${changed}, or the database was restored from an older backup`;

/** Recomputes the whole chain for an admin; the verification itself is an event. */
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
  fileSealCount: number | null;
  /** `sequence` is null if the log itself is intact. */
  broken: { sequence: number | null; sentence: string } | null;
}
type Broken = NonNullable<Finding["broken"]>;

/**
 * Reads every event in order, checks each hash, sequence number and seal, and compares the end of the log with the
 * witnesses outside it.
 */
export async function checkAuditChain(
  platform: Pick<Core, "db" | "now" | "options">,
): Promise<AuditVerification> {
  const startedAtMs = performance.now();
  const { eventsChecked, sealedDays, fileSealCount, broken } = await inspect(platform);
  return {
    state: broken === null ? "intact" : "broken",
    sentence:
      broken?.sentence ??
      `Every event follows from the one before it, and none is missing at the end: ${eventsChecked} events, ${sealedDays} sealed days.`,
    eventsChecked,
    sealedDays,
    brokenAtSequence: broken?.sequence ?? null,
    fileSealCount,
    checkedAt: platform.now(),
    durationMs: performance.now() - startedAtMs,
  };
}

/** Witnesses are read before the log. The log only grows, so all heads that they name must be in it. */
async function inspect(platform: Pick<Core, "db" | "options">): Promise<Finding> {
  const { db } = platform;
  const head = await readHead(db);
  const file = head === null ? ({ state: "none" } as const) : await readSealFile(platform, head.logId);
  const seals = await db.auditSeal.findMany({ orderBy: { firstSequence: "asc" } });
  const inFile = file.state === "read" ? file.witnesses : [];
  const witnesses = head === null ? inFile : [head, ...inFile];
  const walk = await walkEvents(db, seals, witnesses);
  return {
    eventsChecked: walk.sequence,
    sealedDays: seals.length,
    fileSealCount: platform.options.dataDirectory === null ? null : inFile.length,
    broken:
      walk.broken ??
      checkSeals(seals) ??
      checkSealWitnesses(seals, witnesses) ??
      (head === null ? headIsMissing : null) ??
      (file.state === "forged" ? { sequence: null, sentence: file.sentence } : null) ??
      (await checkHeadFollowed(db, walk.sequence)),
  };
}

const headIsMissing: Broken = {
  sequence: null,
  sentence: `The head that the database keeps separately from the log is missing; ${changed}.`,
};

interface Walk {
  /** Number of the last valid event. */
  sequence: number;
  broken: Broken | null;
}

type StoredSeal = Awaited<ReturnType<Database["auditSeal"]["findMany"]>>[number];

async function walkEvents(
  db: Database,
  seals: readonly StoredSeal[],
  witnesses: readonly Witness[],
): Promise<Walk> {
  const sealedHashes = new Map(seals.map((seal) => [Number(seal.lastSequence), seal.lastHash]));
  const witnessed = Map.groupBy(witnesses, ({ sequence }) => sequence);
  let previousHash = genesisHash;
  let sequence = 0;
  const brokenAt = (at: number, why: string, cause = changed): Walk => ({
    sequence,
    broken: { sequence: at, sentence: `Event ${at} ${why}; ${cause}.` },
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
      const other = witnessed.get(found)?.find(({ eventHash }) => eventHash !== hash);
      if (other !== undefined) return brokenAt(found, `does not agree with ${other.name}`, restored);
      previousHash = hash;
      sequence = found;
    }
  }
  const lastSealed = Number(seals.at(-1)?.lastSequence ?? 0n);
  if (lastSealed > sequence) return brokenAt(sequence + 1, "and what follows was sealed and is missing");
  const ahead = witnesses.find((witness) => witness.sequence > sequence);
  if (ahead === undefined) return { sequence, broken: null };
  const first = sequence + 1;
  const missing =
    ahead.sequence === first
      ? `Event ${first} is missing`
      : `Events ${first} to ${ahead.sequence} are missing`;
  const sentence = `${missing}: ${ahead.name} names ${ahead.sequence} events; ${restored}.`;
  return { sequence, broken: { sequence: first, sentence } };
}

/** Checks the chain that the seals form; null if it is intact. */
function checkSeals(seals: readonly StoredSeal[]): Broken | null {
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
      return {
        sequence: nextSequence,
        sentence: `The seal of ${described.day} is not the one that was written; ${changed}.`,
      };
    }
    previousHash = seal.hash;
    nextSequence = described.lastSequence + 1;
  }
  return null;
}

/** Compares the seals with the witnesses, which reveal a seal that was removed, or forged with its chain. */
function checkSealWitnesses(seals: readonly StoredSeal[], witnesses: readonly Witness[]): Broken | null {
  for (const { sealCount, sealHash, name } of witnesses) {
    const seal = seals[sealCount - 1];
    if (seal === undefined && sealCount > 0) {
      const sentence = `${sealCount - seals.length} seals are missing: ${name} names ${sealCount}; ${restored}.`;
      return { sequence: Number(seals.at(-1)?.lastSequence ?? 0n) + 1, sentence };
    }
    if (seal !== undefined && seal.hash !== sealHash) {
      const sentence = `The seal of ${utcDay(seal.day)} does not agree with ${name}; ${restored}.`;
      return { sequence: Number(seal.firstSequence), sentence };
    }
  }
  return null;
}

/** Each event moves the head in its own transaction, so an event beyond the head bypassed the trigger. */
async function checkHeadFollowed(db: Database, lastSequence: number): Promise<Broken | null> {
  const head = await readHead(db);
  if (head === null) return headIsMissing;
  if (head.sequence >= lastSequence) return null;
  const sentence = `Event ${head.sequence + 1} was written without moving the head that the database keeps separately; its trigger was disabled.`;
  return { sequence: head.sequence + 1, sentence };
}
