/**
 * Creates enrolment tokens and node keys: a prefix that names the kind, and 256 random bits. The database stores a
 * hash.
 */
import { enrolmentTokenPrefix, nodeKeyPrefix } from "@stashlight/contracts/node";
import { hashToken, newToken } from "../ids.ts";

export interface NewSecret {
  readonly secret: string;
  readonly hash: string;
  /** Last characters, by which users distinguish secrets that they cannot read. */
  readonly lastCharacters: string;
}

export const newEnrolmentToken = (): NewSecret => newSecret(enrolmentTokenPrefix);
export const newNodeKey = (): NewSecret => newSecret(nodeKeyPrefix);

function newSecret(prefix: string): NewSecret {
  const secret = `${prefix}${newToken()}`;
  return { secret, hash: hashToken(secret), lastCharacters: secret.slice(-4) };
}
