/** Stores a user's password in better-auth's form: an account of the provider "credential". */
import type { Transaction } from "@stashlight/db";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { newId } from "../ids.ts";

export const credentialProviderId = "credential";

export async function setPassword(tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  const existing = await tx.account.findFirst({ where: { userId, providerId: credentialProviderId } });
  if (existing === null) {
    await tx.account.create({
      data: {
        id: newId(),
        userId,
        accountId: userId,
        providerId: credentialProviderId,
        password: passwordHash,
      },
    });
    return;
  }
  await tx.account.update({ where: { id: existing.id }, data: { password: passwordHash } });
}

/** scrypt takes about a tenth of a second on purpose, so passwords are hashed before a transaction begins. */
export function hashNewPassword(password: string): Promise<string> {
  return hashPassword(password);
}

export async function passwordMatches(tx: Transaction, userId: string, password: string): Promise<boolean> {
  const account = await tx.account.findFirst({ where: { userId, providerId: credentialProviderId } });
  if (!account?.password) return false;
  return verifyPassword({ hash: account.password, password });
}
