import type { Transaction } from "@stashlight/db";
import { genesisHash, hashSeal, type Seal, utcDay } from "./chain.ts";

const dayMs = 86_400_000;

/** Seals every finished UTC day that has events and no seal yet; returns how many. Called by housekeeping. */
export async function sealFinishedDays(tx: Transaction, now: Date): Promise<number> {
  const lastSeal = await tx.auditSeal.findFirst({ orderBy: { firstSequence: "desc" } });
  let previousHash = lastSeal?.hash ?? genesisHash;
  let afterSequence = lastSeal?.lastSequence ?? 0n;
  const today = new Date(utcDay(now));
  for (let sealed = 0; ; sealed++) {
    const first = await tx.auditEvent.findFirst({
      where: { sequence: { gt: afterSequence }, occurredAt: { lt: today } },
      orderBy: { sequence: "asc" },
    });
    if (first === null) return sealed;
    const seal = await describeDay(tx, first, today);
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

/** The run of events from `first` to the last one of its day. A clock that stepped back keeps them in one run. */
async function describeDay(
  tx: Transaction,
  first: { sequence: bigint; occurredAt: Date },
  today: Date,
): Promise<Seal> {
  const day = utcDay(first.occurredAt);
  const end = new Date(Math.min(new Date(day).getTime() + dayMs, today.getTime()));
  const next = await tx.auditEvent.findFirst({
    where: { sequence: { gt: first.sequence }, occurredAt: { gte: end } },
    orderBy: { sequence: "asc" },
    select: { sequence: true },
  });
  const last = await tx.auditEvent.findFirstOrThrow({
    where: next === null ? {} : { sequence: { lt: next.sequence } },
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
