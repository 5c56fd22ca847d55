import type { updateProfileInput } from "@stashlight/contracts/user";
import type { z } from "zod";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

export async function updateProfile({
  ctx,
  input,
}: Verb<z.output<typeof updateProfileInput>>): Promise<void> {
  const { userId, email, name } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    await tx.user.update({
      where: { id: userId },
      data: { name: input.name },
    });
    await writeAudit(tx, ctx, {
      action: "user.profile_updated",
      target: { kind: "user", id: userId, name: email },
      before: { name },
      after: { name: input.name },
    });
  });
}
