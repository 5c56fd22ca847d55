import type { Prisma, Transaction } from "@stashlight/db";

/** Ends the open links that `which` describes. */
export async function revokeLinks(
  tx: Transaction,
  which: Prisma.OneTimeLinkWhereInput,
  now: Date,
): Promise<void> {
  await tx.oneTimeLink.updateMany({
    where: { AND: [which, { usedAt: null, revokedAt: null }] },
    data: { revokedAt: now },
  });
}
