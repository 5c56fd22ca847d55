import { hash } from "node:crypto";

/** A token has 256 random bits, so a plain hash reveals nothing. */
export function hashAdminToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
