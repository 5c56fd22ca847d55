/**
 * Credentials at rest: `v1.<keyId>.<wrappedDek>.<iv>.<ct>.<tag>`, AES-256-GCM, base64url. Each value has its own data
 * key, which the installation's key wraps, so that rotating that key only re-wraps and decrypts no value. Both layers
 * are bound to table, row and column, so a value copied elsewhere does not open there.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { StashlightError } from "@stashlight/contracts/errors";

const algorithm = "aes-256-gcm";
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const version = "v1";

export interface SecretPlace {
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

const wrappingKey = (secret: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", "stashlight credentials", keyBytes));
const keyFingerprint = (key: Buffer): string => createHash("sha256").update(key).digest("hex").slice(0, 12);
const boundTo = ({ table, row, column }: SecretPlace): Buffer => Buffer.from(`${table}\0${row}\0${column}`);

function seal(key: Buffer, plain: Buffer, place: SecretPlace): { iv: Buffer; ct: Buffer; tag: Buffer } {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(boundTo(place));
  const ct = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv, ct, tag: cipher.getAuthTag() };
}

function open(key: Buffer, iv: Buffer, ct: Buffer, tag: Buffer, place: SecretPlace): Buffer {
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
    .setAAD(boundTo(place))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(ct), decipher.final()]);
}

/** Identifies the secret that sealed an envelope, without revealing anything about it. */
export const keyIdOfSecret = (installationSecret: string): string =>
  keyFingerprint(wrappingKey(installationSecret));

export function encryptSecret(installationSecret: string, plain: string, place: SecretPlace): string {
  const key = wrappingKey(installationSecret);
  const dataKey = randomBytes(keyBytes);
  const wrapped = seal(key, dataKey, place);
  const { iv, ct, tag } = seal(dataKey, Buffer.from(plain), place);
  const parts = [Buffer.concat([wrapped.iv, wrapped.ct, wrapped.tag]), iv, ct, tag];
  return [version, keyFingerprint(key), ...parts.map((part) => part.toString("base64url"))].join(".");
}

export function decryptSecret(installationSecret: string, envelope: string, place: SecretPlace): string {
  const [given, keyId, ...rest] = envelope.split(".");
  const [wrapped, iv, ct, tag] = rest.map((part) => Buffer.from(part, "base64url"));
  const isWhole = wrapped !== undefined && iv !== undefined && ct !== undefined && tag !== undefined;
  if (given !== version || !isWhole || rest.length !== 4) {
    throw unreadable("it is not in the form that this version writes");
  }
  const key = wrappingKey(installationSecret);
  if (keyId !== keyFingerprint(key))
    throw unreadable("it was encrypted with another secret of the installation");
  try {
    const dataKey = open(
      key,
      wrapped.subarray(0, ivBytes),
      wrapped.subarray(ivBytes, -tagBytes),
      wrapped.subarray(-tagBytes),
      place,
    );
    return open(dataKey, iv, ct, tag, place).toString();
  } catch (cause) {
    throw unreadable("it was changed, or belongs to another row", cause);
  }
}

const unreadable = (why: string, cause?: unknown) =>
  new StashlightError("precondition_failed", `The stored secret cannot be read: ${why}. Enter it again.`, {
    cause,
  });
