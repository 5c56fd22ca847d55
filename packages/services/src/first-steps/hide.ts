import type { hideFirstStepsInput } from "@stashlight/contracts/user/first-steps";
import type { z } from "zod";
import { requireRole, type Verb } from "../context.ts";

/** Puts the list away for the reader alone, or brings it back. */
export async function hideFirstSteps({
  ctx,
  input: { isHidden },
}: Verb<z.output<typeof hideFirstStepsInput>>): Promise<void> {
  const { userId } = requireRole(ctx, "viewer");
  await ctx.platform.db.user.update({
    where: { id: userId },
    data: { firstStepsHiddenAt: isHidden ? ctx.platform.now() : null },
  });
}
