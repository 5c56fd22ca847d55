import type { updateProfileInput } from "@stashlight/contracts/user";
import { writeAudit } from "../audit/write.ts";
import { requireRole, type Verb } from "../context.ts";

export async function updateProfile({ ctx, input }: Verb<typeof updateProfileInput>): Promise<void> {
  const { userId, email, name, timeZone } = requireRole(ctx, "viewer");
  await ctx.platform.db.$transaction(async (tx) => {
    await tx.user.update({
      where: { id: userId },
      data: { name: input.name, timeZone: input.timeZone },
    });
    await writeAudit(tx, ctx, {
      action: "user.profile_updated",
      target: { kind: "user", id: userId, name: email },
      before: { name, timeZone },
      after: { name: input.name, timeZone: input.timeZone },
    });
  });
}
