import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";

export async function findUser(tx: Transaction, userId: string) {
  const user = await tx.user.findUnique({ where: { id: userId } });
  if (user === null)
    throw new StashlightError("not_found", "There is no such user; the list may be out of date.");
  return user;
}

/**
 * Locks the rows of all active admins until the transaction ends, so that two admins who demote each other at the same
 * time cannot leave an installation without one.
 */
export async function assertAnotherAdmin(tx: Transaction, userId: string): Promise<void> {
  const admins = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM user_account WHERE role = 'admin' AND disabled_at IS NULL ORDER BY id FOR UPDATE`;
  if (admins.some(({ id }) => id !== userId)) return;
  throw new StashlightError("conflict", "This is the only active admin; make another user admin first.");
}
