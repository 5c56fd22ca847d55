import type { IssuedAccessKey } from "@stashlight/contracts/access-key";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { readS3Addresses } from "./s3-addresses.ts";
import { accessKeyAudit, accessKeyTarget, lockAccessKey, newSecret } from "./stored.ts";

/**
 * Replaces the secret of a key and returns the new one, which is shown only once. The old secret stops working when the
 * coordinators have fetched the change.
 */
export async function rotateAccessKey({ ctx, input }: Verb<{ keyId: string }>): Promise<IssuedAccessKey> {
  requireRole(ctx, "admin");
  const { keyId } = input;
  const { secretAccessKey, sealed } = newSecret(ctx.platform.options.secret, keyId, ctx.platform.now());
  const { accessKeyId, addresses } = await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockAccessKey(tx, keyId);
    const after = await tx.accessKey.update({ where: { id: keyId }, data: sealed });
    await writeAudit(tx, ctx, {
      action: "access_key.secret_rotated",
      target: accessKeyTarget(after),
      before: accessKeyAudit(before),
      after: accessKeyAudit(after),
    });
    return {
      accessKeyId: after.accessKeyId,
      addresses: await readS3Addresses(tx, after.vault),
    };
  });
  return { keyId, accessKeyId, secretAccessKey, addresses };
}
