import { StashlightError } from "@stashlight/contracts/errors";
import type { VaultLocation } from "@stashlight/contracts/object-location";
import { objectQuestionColumns } from "@stashlight/db/columns/object-question";
import { requireRole, type Verb } from "../context.ts";

/** Returns the vaults' answers so far, to the person who asked. */
export async function readLocations({ ctx, input }: Verb<{ askId: string }>): Promise<VaultLocation[]> {
  const { userId } = requireRole(ctx, "operator");
  const rows = await ctx.platform.db.objectQuestion.findMany({
    where: { askId: input.askId, askedById: userId },
    orderBy: { vault: "asc" },
    select: { id: true, vault: true, location: true },
  });
  if (rows.length === 0) {
    throw new StashlightError("not_found", "There is no such question, or it is older than an hour.");
  }
  return rows.map(({ id, vault, location }) => ({
    vault,
    location: objectQuestionColumns.location.readOrNull(location, id),
  }));
}
