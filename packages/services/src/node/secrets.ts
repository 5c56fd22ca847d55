/** Enrolment tokens and node keys: a prefix that says what it is, and 256 random bits. The database keeps a hash. */
import { enrolmentTokenPrefix, nodeKeyPrefix } from "@stashlight/contracts/node";
import { hashToken, newToken } from "../ids.ts";

export interface NewSecret {
  readonly secret: string;
  readonly hash: string;
  /** By which people tell secrets apart that nobody can read. */
  readonly lastCharacters: string;
}

export const newEnrolmentToken = (): NewSecret => newSecret(enrolmentTokenPrefix);
export const newNodeKey = (): NewSecret => newSecret(nodeKeyPrefix);

function newSecret(prefix: string): NewSecret {
  const secret = `${prefix}${newToken()}`;
  return { secret, hash: hashToken(secret), lastCharacters: secret.slice(-4) };
}
