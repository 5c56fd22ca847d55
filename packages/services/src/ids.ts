import { hash, randomBytes, randomUUID } from "node:crypto";

export function newId(): string {
  return randomUUID();
}

/** 256 random bits as base64url: the secret part of a link. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Tokens are random, so a plain hash is enough to make a leaked database useless for signing in. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}
