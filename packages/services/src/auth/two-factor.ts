import type { Transaction } from "@stashlight/db";

/** Removes a user's second factor, so that their next sign-in needs only the password. */
export async function removeTwoFactor(tx: Transaction, userId: string): Promise<void> {
  await tx.twoFactor.deleteMany({ where: { userId } });
  await tx.user.update({ where: { id: userId }, data: { twoFactorEnabled: false } });
}
