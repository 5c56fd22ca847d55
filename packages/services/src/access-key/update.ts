import type { updateAccessKeyInput } from "@stashlight/contracts/access-key";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { accessKeyAudit, accessKeyTarget, lockAccessKey } from "./stored.ts";

/** Changes a key's name and permissions. Its owner never changes; another owner needs another key. */
export async function updateAccessKey({ ctx, input }: Verb<typeof updateAccessKeyInput>): Promise<void> {
  requireRole(ctx, "admin");
  const { keyId, buckets, ...fields } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockAccessKey(tx, keyId);
    const data = { ...fields, buckets: buckets ?? [] };
    const after = await tx.accessKey.update({ where: { id: keyId }, data });
    await writeAudit(tx, ctx, {
      action: "access_key.changed",
      target: accessKeyTarget(after),
      before: accessKeyAudit(before),
      after: accessKeyAudit(after),
    });
  });
}
