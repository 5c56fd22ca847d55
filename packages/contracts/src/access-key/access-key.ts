/**
 * Access keys of a vault that admins make in the console. The coordinators of the vault ask the ingest for them:
 *
 *     GET /v1/access-keys
 *     Authorization: Bearer KEY of an approved coordinator
 *     If-None-Match: "REVISION"          the revision that the coordinator has
 *
 *     200  {"revision": ..., "keys": [...]}   with all secrets, so over TLS or loopback only
 *     304  nothing has changed
 *
 * A key in the vault's file takes precedence over one with the same id from the console.
 */
import { z } from "zod";
import { nameSchema } from "../name.ts";
import { type S3Address, vaultNameSchema } from "../node/node.ts";

/** Limited because each coordinator of a vault reads the whole list every few seconds. */
export const accessKeysPerVaultMax = 1000;
const bucketsPerAccessKeyMax = 100;
/**
 * Interval between a coordinator's requests, and its time limit for an answer. Together they are shorter than
 * accessKeyEffectSeconds.
 */
export const accessKeysAskedEveryMs = 3_000;
export const accessKeysAnswerWithinMs = 5_000;

export const accessKeyPermissions = ["read", "write"] as const;
export type AccessKeyPermission = (typeof accessKeyPermissions)[number];

/** The same format as in the vault's file. */
const ownerSchema = z
  .string("The owner is missing.")
  .trim()
  .regex(
    /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/,
    "An owner can have up to 63 lower-case letters, digits, dots and dashes, and must start and end with a letter or digit.",
  );

const bucketName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'A bucket name has 3 to 63 lower-case letters, digits, "-" and ".".',
  );

const scope = {
  permission: z.enum(accessKeyPermissions),
  /** Null means all buckets of the owner. */
  buckets: z
    .array(bucketName)
    .min(1, "Name at least one bucket, or choose all buckets of the owner.")
    .max(bucketsPerAccessKeyMax, `A key can name at most ${bucketsPerAccessKeyMax} buckets.`)
    .transform((names) => [...new Set(names)])
    .nullable(),
};

const label = nameSchema();

export const createAccessKeyInput = z.object({
  vault: vaultNameSchema,
  owner: ownerSchema,
  /** Purpose of the key, for the people who manage it. */
  name: label,
  ...scope,
});
export const accessKeyIdInput = z.object({ keyId: z.uuid("There is no such access key.") });
export const updateAccessKeyInput = accessKeyIdInput.extend({ name: label, ...scope });
export const disableAccessKeyInput = accessKeyIdInput.extend({ isDisabled: z.boolean() });
/** The user types the key's name to confirm the deletion. */
export const deleteAccessKeyInput = accessKeyIdInput.extend({ name: z.string().max(100) });

export interface AccessKeyRow {
  id: string;
  vault: string;
  owner: string;
  name: string;
  accessKeyId: string;
  /** Last characters of its secret. */
  secretHint: string;
  permission: AccessKeyPermission;
  /** Null means all buckets of the owner. */
  buckets: string[] | null;
  isDisabled: boolean;
  createdBy: string;
  createdAt: Date;
  /** Creation time of the current secret. */
  secretSince: Date;
}

/** Shown only once. */
export interface IssuedAccessKey {
  keyId: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Address at which the vault's coordinators serve S3; empty while none has reported it. */
  addresses: S3Address[];
}

/** Part of a key that coordinators receive and keep. */
const servedAccessKeySchema = z.object({
  id: z.string().min(1).max(128),
  secret: z.string().min(1).max(128),
  owner: z.string().min(1).max(63),
  permission: z.enum(accessKeyPermissions),
  buckets: z.union([z.literal("all"), z.array(z.string().max(63)).max(bucketsPerAccessKeyMax)]),
  isDisabled: z.boolean(),
});
export const servedAccessKeysSchema = z.object({
  revision: z.string().regex(/^[0-9a-f]{64}$/),
  keys: z.array(servedAccessKeySchema).max(accessKeysPerVaultMax),
});
export type ServedAccessKey = z.infer<typeof servedAccessKeySchema>;
export type ServedAccessKeys = z.infer<typeof servedAccessKeysSchema>;
