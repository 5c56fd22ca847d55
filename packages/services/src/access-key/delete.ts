import type { deleteAccessKeyInput } from "@stashlight/contracts/access-key";
import { StashlightError } from "@stashlight/contracts/errors";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { accessKeyAudit, accessKeyTarget, lockAccessKey } from "./stored.ts";

/** Deletes a key; objects that were written with it stay, and keep their owner. */
export async function deleteAccessKey({ ctx, input }: Verb<typeof deleteAccessKeyInput>): Promise<void> {
  requireRole(ctx, "admin");
  await ctx.platform.db.$transaction(async (tx) => {
    const key = await lockAccessKey(tx, input.keyId);
    if (key.name !== input.name) {
      throw new StashlightError("invalid_input", `Type the name of the key, ${key.name}, to delete it.`, {
        field: "name",
      });
    }
    await tx.accessKey.delete({ where: { id: key.id } });
    await writeAudit(tx, ctx, {
      action: "access_key.deleted",
      target: accessKeyTarget(key),
      before: accessKeyAudit(key),
    });
  });
}
