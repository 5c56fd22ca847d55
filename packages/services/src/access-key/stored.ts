/** Helpers of the access key verbs: finding a key, sealing its secret, and its public fields. */
import { randomBytes } from "node:crypto";
import type { AccessKeyRow } from "@stashlight/contracts/access-key";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Prisma, Transaction } from "@stashlight/db";
import { accessKeyColumns } from "@stashlight/db/columns/access-key";
import { decryptSecret, encryptSecret, type SecretPlace } from "../secret/credential-encryption.ts";

export type StoredAccessKey = Prisma.AccessKeyGetPayload<object>;

const HINT_LENGTH = 4;

const accessKeySecretPlace = (keyId: string): SecretPlace => ({
  table: "access_key",
  row: keyId,
  column: "secret_access_key",
});

/** Unique among all vaults, with a recognisable prefix. */
export function newAccessKeyId(): string {
  return `SL${randomBytes(9).toString("hex").toUpperCase()}`;
}

/** Generates a secret of 240 bits, and its sealed form for the row. */
export function newSecret(installationSecret: string, keyId: string, now: Date) {
  const secretAccessKey = randomBytes(30).toString("base64url");
  const sealed = {
    secretAccessKey: encryptSecret(installationSecret, secretAccessKey, accessKeySecretPlace(keyId)),
    secretHint: secretAccessKey.slice(-HINT_LENGTH),
    secretSince: now,
  };
  return { secretAccessKey, sealed };
}

export function openSecret(
  installationSecret: string,
  key: Pick<StoredAccessKey, "id" | "secretAccessKey">,
): string {
  return decryptSecret(installationSecret, key.secretAccessKey, accessKeySecretPlace(key.id));
}

/** The row stays locked until the transaction ends. */
export async function lockAccessKey(tx: Transaction, keyId: string): Promise<StoredAccessKey> {
  await tx.$queryRaw`SELECT id FROM access_key WHERE id = ${keyId}::uuid FOR UPDATE`;
  const key = await tx.accessKey.findUnique({ where: { id: keyId } });
  if (key === null) throw new StashlightError("not_found", "There is no such access key.");
  return key;
}

/** An empty list in the row means all buckets of the owner. */
export const keyBuckets = ({ buckets }: Pick<StoredAccessKey, "buckets">): "all" | string[] =>
  buckets.length === 0 ? "all" : buckets;

export function toAccessKeyRow(key: StoredAccessKey): AccessKeyRow {
  return {
    id: key.id,
    vault: key.vault,
    owner: key.owner,
    name: key.name,
    accessKeyId: key.accessKeyId,
    secretHint: key.secretHint,
    permission: accessKeyColumns.permission.read(key.permission, key.id),
    buckets: key.buckets.length === 0 ? null : key.buckets,
    isDisabled: key.disabledAt !== null,
    createdBy: key.createdByName,
    createdAt: key.createdAt,
    secretSince: key.secretSince,
  };
}

export const accessKeyTarget = ({ id, name }: StoredAccessKey) => ({ kind: "access key", id, name });

/** The fields for the audit log. The field name of the key's id keeps it from being redacted as a secret. */
export function accessKeyAudit(key: StoredAccessKey) {
  const { vault, owner, name, permission, accessKeyId, secretHint } = key;
  return {
    vault,
    owner,
    name,
    permission,
    buckets: keyBuckets(key),
    keyId: accessKeyId,
    endsWith: secretHint,
  };
}
