import { hash, randomBytes, randomUUID } from "node:crypto";

export function newId(): string {
  return randomUUID();
}

/** 256 random bits as base64url: the secret part of a link. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Tokens are random, so a plain hash is enough to keep a database leak from being a way in. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}
