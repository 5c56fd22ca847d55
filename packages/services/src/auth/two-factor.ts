import type { Transaction } from "@stashlight/db";

/** Forgets a user's second factor: their next sign-in asks for the password alone. */
export async function removeTwoFactor(tx: Transaction, userId: string): Promise<void> {
  await tx.twoFactor.deleteMany({ where: { userId } });
  await tx.user.update({ where: { id: userId }, data: { twoFactorEnabled: false } });
}
