import type { disableAccessKeyInput } from "@stashlight/contracts/access-key";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";
import { accessKeyAudit, accessKeyTarget, lockAccessKey } from "./stored.ts";

/** Disables or enables a key. Requests signed with a disabled key are refused for that reason. */
export async function disableAccessKey({ ctx, input }: Verb<typeof disableAccessKeyInput>): Promise<void> {
  requireRole(ctx, "admin");
  const { keyId, isDisabled } = input;
  await ctx.platform.db.$transaction(async (tx) => {
    const before = await lockAccessKey(tx, keyId);
    if ((before.disabledAt !== null) === isDisabled) return;
    const disabledAt = isDisabled ? ctx.platform.now() : null;
    const after = await tx.accessKey.update({ where: { id: keyId }, data: { disabledAt } });
    await writeAudit(tx, ctx, {
      action: isDisabled ? "access_key.disabled" : "access_key.enabled",
      target: accessKeyTarget(after),
      after: accessKeyAudit(after),
    });
  });
}
