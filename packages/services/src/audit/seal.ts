import { DAY_MS } from "@stashlight/contracts/time";
import type { Transaction } from "@stashlight/db";
import { genesisHash, hashSeal, type Seal, utcDay } from "./chain.ts";

/** Seals every finished UTC day that has events and no seal yet, and returns their number. Called by housekeeping. */
export async function sealFinishedDays(tx: Transaction, now: Date): Promise<number> {
  const lastSeal = await tx.auditSeal.findFirst({ orderBy: { firstSequence: "desc" } });
  // An event written before one of a finished day is finished too, even if a fast clock dated it later.
  const lastFinished = await tx.auditEvent.findFirst({
    where: { occurredAt: { lt: new Date(utcDay(now)) } },
    orderBy: { sequence: "desc" },
    select: { sequence: true },
  });
  let previousHash = lastSeal?.hash ?? genesisHash;
  let afterSequence = lastSeal?.lastSequence ?? 0n;
  for (let sealed = 0; ; sealed++) {
    if (lastFinished === null || lastFinished.sequence <= afterSequence) return sealed;
    const seal = await describeDay(tx, afterSequence, lastFinished.sequence);
    const hash = hashSeal(previousHash, seal);
    await tx.auditSeal.create({
      data: {
        ...seal,
        day: new Date(seal.day),
        firstSequence: BigInt(seal.firstSequence),
        lastSequence: BigInt(seal.lastSequence),
        previousHash,
        hash,
        sealedAt: now,
      },
    });
    previousHash = hash;
    afterSequence = BigInt(seal.lastSequence);
  }
}

/**
 * Describes the events after `afterSequence` up to the last one of the same day as the first. Events dated by a clock
 * that was set back stay in that day.
 */
async function describeDay(tx: Transaction, afterSequence: bigint, untilSequence: bigint): Promise<Seal> {
  const first = await tx.auditEvent.findFirstOrThrow({
    where: { sequence: { gt: afterSequence } },
    orderBy: { sequence: "asc" },
    select: { sequence: true, occurredAt: true },
  });
  const day = utcDay(first.occurredAt);
  const next = await tx.auditEvent.findFirst({
    where: {
      sequence: { gt: first.sequence },
      occurredAt: { gte: new Date(new Date(day).getTime() + DAY_MS) },
    },
    orderBy: { sequence: "asc" },
    select: { sequence: true },
  });
  const last = await tx.auditEvent.findFirstOrThrow({
    where: { sequence: { lte: untilSequence, ...(next === null ? {} : { lt: next.sequence }) } },
    orderBy: { sequence: "desc" },
    select: { sequence: true, hash: true },
  });
  return {
    day,
    firstSequence: Number(first.sequence),
    lastSequence: Number(last.sequence),
    eventCount: Number(last.sequence - first.sequence) + 1,
    lastHash: last.hash,
  };
}
