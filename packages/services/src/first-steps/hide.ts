import type { hideFirstStepsInput } from "@stashlight/contracts/user";
import { requireRole, type Verb } from "../context.ts";

/** Hides the list for the reader only, or shows it again. */
export async function hideFirstSteps({
  ctx,
  input: { isHidden },
}: Verb<typeof hideFirstStepsInput>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.user.update({
    where: { id: userId },
    data: { firstStepsHiddenAt: isHidden ? ctx.platform.now() : null },
  });
}
