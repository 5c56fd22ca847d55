import { StashlightError } from "@stashlight/contracts/errors";
import type { Role } from "@stashlight/contracts/user/roles";
import { Prisma, type Transaction } from "@stashlight/db";
import { setPassword } from "../auth/credentials.ts";
import { newId } from "../ids.ts";

export interface NewUser {
  name: string;
  /** Verified: it was written by an admin, or by whoever holds the machine. */
  email: string;
  role: Role;
  passwordHash: string;
}

const uniqueViolation = "P2002";

/** Makes a user who signs in with a password, or throws the conflict `taken` when somebody has the address. */
export async function createUser(
  tx: Transaction,
  { passwordHash, ...data }: NewUser,
  taken: { remedy: string; field?: string },
) {
  const conflict = (cause?: unknown) =>
    new StashlightError("conflict", `${data.email} has a user already; ${taken.remedy}.`, {
      cause,
      ...(taken.field === undefined ? {} : { field: taken.field }),
    });
  if ((await tx.user.count({ where: { email: data.email } })) > 0) throw conflict();
  try {
    const user = await tx.user.create({ data: { id: newId(), ...data, emailVerified: true } });
    await setPassword(tx, user.id, passwordHash);
    return user;
  } catch (error) {
    // Somebody else with this address was a moment faster, by another link or by the identity provider.
    const overtaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === uniqueViolation;
    throw overtaken ? conflict(error) : error;
  }
}
