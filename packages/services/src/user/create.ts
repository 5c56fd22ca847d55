import { StashlightError } from "@stashlight/contracts/errors";
import type { Role } from "@stashlight/contracts/user";
import { Prisma, type Transaction } from "@stashlight/db";
import { setPassword } from "../auth/credentials.ts";
import { newId } from "../ids.ts";

export interface NewUser {
  name: string;
  /** Already verified: an admin entered it, or a person with access to the machine. */
  email: string;
  role: Role;
  passwordHash: string;
}

const uniqueViolation = "P2002";

/** Creates a user who signs in with a password; throws the conflict `taken` if the address belongs to another user. */
export async function createUser(
  tx: Transaction,
  { passwordHash, ...data }: NewUser,
  taken: { remedy: string; field?: string },
) {
  const conflict = (cause?: unknown) =>
    new StashlightError("conflict", `${data.email} already has a user; ${taken.remedy}.`, {
      cause,
      ...(taken.field === undefined ? {} : { field: taken.field }),
    });
  if ((await tx.user.count({ where: { email: data.email } })) > 0) throw conflict();
  try {
    const user = await tx.user.create({ data: { id: newId(), ...data, emailVerified: true } });
    await setPassword(tx, user.id, passwordHash);
    return user;
  } catch (error) {
    // Another link, or the identity provider, created a user with this address a moment earlier.
    const overtaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === uniqueViolation;
    throw overtaken ? conflict(error) : error;
  }
}
