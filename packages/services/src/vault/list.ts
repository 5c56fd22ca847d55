import type { KnownVault } from "@stashlight/contracts/vault";
import { type Context, requireRole } from "../context.ts";

const collator = new Intl.Collator("en", { numeric: true });

/** Lists every vault that any node belongs or belonged to, by name. */
export async function listVaults({ ctx }: { ctx: Context }): Promise<KnownVault[]> {
  requireRole(ctx, "viewer");
  const kinds = await ctx.platform.db.node.groupBy({ by: ["vault", "isSimulated", "status"] });
  return [...Map.groupBy(kinds, ({ vault }) => vault)]
    .map(([name, ofVault]) => ({
      name,
      isSimulated: ofVault.every(({ isSimulated }) => isSimulated),
      isRetired: ofVault.every(({ status }) => status === "revoked"),
    }))
    .sort((a, b) => collator.compare(a.name, b.name));
}
