import {
  accessKeysPerVaultMax,
  type createAccessKeyInput,
  type IssuedAccessKey,
} from "@stashlight/contracts/access-key";
import { StashlightError } from "@stashlight/contracts/errors";
import type { Transaction } from "@stashlight/db";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { newId } from "../ids.ts";
import { readS3Addresses } from "./s3-addresses.ts";
import { accessKeyAudit, accessKeyTarget, newAccessKeyId, newSecret } from "./stored.ts";

/** Creates a key of an owner and returns its secret, which is shown only once. */
export async function createAccessKey({
  ctx,
  input,
}: Verb<typeof createAccessKeyInput>): Promise<IssuedAccessKey> {
  const admin = requireRole(ctx, "admin");
  const { buckets, ...fields } = input;
  const keyId = newId();
  const now = ctx.platform.now();
  const { secretAccessKey, sealed } = newSecret(ctx.platform.options.secret, keyId, now);
  const { accessKeyId, addresses } = await ctx.platform.db.$transaction(async (tx) => {
    await refuseUnknownVault(tx, input.vault);
    await refuseOneTooMany(tx, input.vault);
    const created = await tx.accessKey.create({
      data: {
        id: keyId,
        ...fields,
        buckets: buckets ?? [],
        accessKeyId: newAccessKeyId(),
        ...sealed,
        createdByName: admin.name,
        createdAt: now,
      },
    });
    await writeAudit(tx, ctx, {
      action: "access_key.created",
      target: accessKeyTarget(created),
      after: accessKeyAudit(created),
    });
    return {
      accessKeyId: created.accessKeyId,
      addresses: await readS3Addresses(tx, input.vault),
    };
  });
  return { keyId, accessKeyId, secretAccessKey, addresses };
}

/** A vault without a coordinator would never fetch its keys. */
async function refuseUnknownVault(tx: Transaction, vault: string): Promise<void> {
  const where = { vault, role: "coordinator", status: { not: "revoked" } };
  if ((await tx.node.findFirst({ where, select: { id: true } })) !== null) return;
  throw new StashlightError(
    "precondition_failed",
    `No coordinator of the vault ${vault} has enrolled. Enrol one first, or correct the name.`,
    { field: "vault" },
  );
}

/**
 * Makes concurrent calls wait for each other, so that they cannot exceed the limit, above which coordinators refuse a
 * list.
 */
async function refuseOneTooMany(tx: Transaction, vault: string): Promise<void> {
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('access_key'), hashtext(${vault}))::text`;
  if ((await tx.accessKey.count({ where: { vault } })) < accessKeysPerVaultMax) return;
  throw new StashlightError(
    "conflict",
    `The vault ${vault} has ${accessKeysPerVaultMax} access keys, which is the maximum. Delete unused ones.`,
  );
}
