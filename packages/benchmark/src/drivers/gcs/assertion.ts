/**
 * Assertion (RFC 7523) that is signed with a service account's key and exchanged for a Google access token.
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */
import { createPrivateKey, createSign } from "node:crypto";
import type { ServiceAccount } from "@stashlight/contracts/endpoint";

const SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
/** Longest lifetime that Google grants. */
const TOKEN_SECONDS = 3600;

/** Returns a JSON Web Token. `nowMs` is milliseconds since 1970. */
export function signAssertion(account: ServiceAccount, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1000);
  const claims = {
    iss: account.client_email,
    scope: SCOPE,
    aud: account.token_uri,
    exp: issuedAt + TOKEN_SECONDS,
    iat: issuedAt,
  };
  const parts = [{ alg: "RS256" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const text = parts.join(".");
  const signature = createSign("RSA-SHA256").update(text).sign(createPrivateKey(account.private_key));
  return `${text}.${signature.toString("base64url")}`;
}
