/** Signing keys: each takes four HMACs and is valid for one access key, day and region, and so worth caching. */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { scopeText } from "./canonical.ts";
import type { CredentialScope } from "./claim.ts";

export type SigningKeys = (accessKeyId: string, secret: string, scope: CredentialScope) => KeyObject;

const CACHED_COUNT_MAX = 1024;

/** Derives a key again if the secret has changed. When full, the cache drops the least recently used key. */
export function createSigningKeys(): SigningKeys {
  const cache = new Map<string, { secret: string; key: KeyObject }>();
  return (accessKeyId, secret, scope) => {
    const name = `${accessKeyId}/${scopeText(scope)}`;
    const known = cache.get(name);
    cache.delete(name);
    const entry = known?.secret === secret ? known : { secret, key: deriveSigningKey(secret, scope) };
    cache.set(name, entry);
    if (cache.size > CACHED_COUNT_MAX) cache.delete(cache.keys().next().value as string);
    return entry.key;
  };
}

/** Returns a KeyObject: importing a raw key for each signature costs as much as five signatures. */
export function deriveSigningKey(secret: string, { date, region, service }: CredentialScope): KeyObject {
  const steps = [date, region, service, "aws4_request"];
  const first = Buffer.from(`AWS4${secret}`, "utf8");
  return createSecretKey(
    steps.reduce<Buffer>((key, step) => createHmac("sha256", key).update(step, "latin1").digest(), first),
  );
}

export function sign(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text, "latin1").digest("hex");
}

/** Signs a form's policy with signature version 2. */
export function signVersion2(secret: string, policy: string): string {
  return createHmac("sha1", secret).update(policy, "utf8").digest("base64");
}

/** Compares in constant time, as text; an upper-case digit does not match. */
export function isSameSignature(expected: string, given: string): boolean {
  const a = Buffer.from(expected, "latin1");
  const b = Buffer.from(given, "latin1");
  return a.length === b.length && timingSafeEqual(a, b);
}
